import { statSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'
import { placeOf } from '../../../doctor/address.ts'
import { inWordsOf } from '../../../doctor/drawing.ts'
import { failureReason, unreadable } from '../../../doctor/files/file-error.ts'
import { type Found, findStores } from '../../../doctor/find-stores.ts'
import { isUrl } from '../../../doctor/peek.ts'
import type { Examination, StoredConversation, System } from '../../../doctor/system.ts'
import type { Item, Source, StoredDocument } from '../protocol.ts'
import { encodeDocument, headOf } from './encode-document.ts'
import { bytesMax, mustFit, noItem } from './limits.ts'
import type { Listing, OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/**
 * The conversations of other systems at a path or below it, as the doctor finds them. Only their names are kept: each is
 * read again when somebody wants to see it.
 */
export async function openStores(source: Source, path: string, systems: readonly System[]): Promise<OpenSource> {
  await mustHoldOne(path, systems)
  const places: Place[] = []
  let ready: { readonly item: string; readonly document: StoredDocument } | undefined
  return {
    source,
    async list(listing) {
      for (const found of findStores(path, systems)) {
        if (listing.signal.aborted) return
        if (found.kind === 'store') await listStore({ source, places, ...listing }, found.path, found.system)
        const trouble = troubleOf(found)
        if (trouble) tellTrouble({ source, places, ...listing }, trouble)
      }
      listing.listed()
    },
    async document(item, extent) {
      const place = places[Number(item) - 1]
      if (!place) throw noItem(source)
      if ('error' in place) throw place.error
      // Whoever asks for the beginning asks for the whole next: it is read once for both.
      const known = extent === 'whole' && ready?.item === item ? ready.document : undefined
      const document = known ?? (await readDocument(place, source))
      ready = extent === 'head' ? { item, document } : undefined
      return encodeDocument(extent === 'head' ? headDocument(document) : document)
    },
    async close() {},
  }
}

/** Whoever names a path wants to see something: the first store at it must be one that can be read. */
async function mustHoldOne(path: string, systems: readonly System[]): Promise<void> {
  let trouble: Error | undefined
  for (const found of findStores(path, systems)) {
    try {
      trouble ??= troubleOf(found)
      if (found.kind !== 'store') continue
      const store = await found.system.open(found.path, { now: Date.now() })
      try {
        for await (const _ of store.conversations()) return
      } finally {
        await store.close()
      }
    } catch (error) {
      trouble ??= clear(path, error)
    }
  }
  const shown = isUrl(path) ? placeOf(path) : path
  throw (
    trouble ??
    unreadable(shown, 'there is no conversation of a system that is known', 'antiphon doctor --help lists them')
  )
}

/** Where a conversation is, or why it is none. Its number is one more than its index. */
type Place = Stored | { readonly error: Error }

interface Stored {
  readonly path: string
  readonly system: System
  readonly id: string
  /** Which of the conversations of its store, from 0. */
  readonly ordinal: number
}

interface Work extends Listing {
  readonly source: Source
  readonly places: Place[]
}

async function listStore(work: Work, path: string, system: System): Promise<void> {
  const { places, signal, tell, source } = work
  try {
    const store = await system.open(path, { now: Date.now() })
    try {
      let ordinal = 0
      for await (const conversation of store.conversations()) {
        if (signal.aborted) return
        places.push({ path, system, id: conversation.id, ordinal: ordinal++ })
        const item: Item = {
          source: source.id,
          id: String(places.length),
          title: titleOf(conversation),
          state: 'unknown',
          system: system.title,
        }
        tell(item)
        await pause()
        tell({ ...item, ...(await verdictOn(conversation, path)) })
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    tellTrouble(work, clear(path, error))
  }
}

async function verdictOn(
  conversation: StoredConversation,
  path: string,
): Promise<Pick<Item, 'state' | 'counts' | 'note'>> {
  if (sizeOf(path) > bytesMax) return { state: 'unknown', note: 'it is too large to be drawn' }
  try {
    const { state, counts, notes } = await conversation.examine()
    return { state, counts, ...(notes.length > 0 ? { note: notes[0] } : {}) }
  } catch (error) {
    return { state: 'unreadable', note: clear(path, error).message }
  }
}

const sizeOf = (path: string): number => {
  const stat = isUrl(path) ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.size : 0
}

function tellTrouble({ source, places, tell }: Work, error: Error): void {
  places.push({ error })
  tell({ source: source.id, id: String(places.length), title: source.name, state: 'unreadable', note: error.message })
}

/** Why something at a path cannot be shown; nothing for what is of no interest. */
function troubleOf(found: Found): Error | undefined {
  if (found.kind === 'trouble') return found.error
  return found.kind === 'unfinished'
    ? unreadable(found.path, 'a healing was cut off here', 'antiphon doctor --fix finishes it')
    : undefined
}

async function readDocument({ path, system, id, ordinal }: Stored, source: Source): Promise<StoredDocument> {
  mustFit(path, sizeOf(path))
  try {
    const store = await system.open(path, { now: Date.now() })
    try {
      let found: StoredConversation | undefined
      let at = 0
      for await (const conversation of store.conversations()) {
        const isThere = at++ === ordinal
        if (conversation.id !== id) continue
        found = isThere ? conversation : (found ?? conversation)
        if (isThere) break
      }
      if (found) return documentOf(await found.examine(), found, system)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw clear(path, error)
  }
  throw noItem(source)
}

/** Some systems have the first words of the user for it, however many they are. */
const titleOf = ({ id, title }: Pick<StoredConversation, 'id' | 'title'>): string => (title || id).slice(0, titleMax)

const titleMax = 300

function documentOf(
  examination: Examination,
  conversation: Pick<StoredConversation, 'id' | 'title'>,
  { title: system }: System,
): StoredDocument {
  const { state, notes, draw } = examination
  const name = titleOf(conversation)
  if (!draw) throw unreadable(name, 'it cannot be drawn', 'antiphon doctor tells what is wrong with it')
  return { kind: 'stored', name, system, state, notes, ...inWordsOf(examination, draw()) }
}

/** The beginning, as it was found, with the records that it is read from. */
function headDocument(document: StoredDocument): StoredDocument {
  const { records } = document
  const needed = new Set<number>()
  const messages = headOf(document.messages, ({ origin, parts }) => {
    const places = [origin, ...parts.map(({ slot }) => slot)].filter(place => place !== undefined)
    const fresh = places.filter(place => !needed.has(place))
    for (const place of fresh) needed.add(place)
    return fresh.reduce((sum, place) => sum + (records[place]?.text.length ?? 0), 0)
  })
  if (messages.length === document.messages.length) return document
  const last = [...needed].reduce((most, place) => Math.max(most, place), -1)
  return {
    ...document,
    messages,
    repairs: [],
    remaining: [],
    records: records.slice(0, last + 1).map((record, index) => (needed.has(index) ? record : { ...record, text: '' })),
    total: document.messages.length,
  }
}

/** One line, and no password in it. */
const clear = (path: string, error: unknown): Error =>
  AntiphonError.is(error) ? error : unreadable(isUrl(path) ? placeOf(path) : path, failureReason(error))
