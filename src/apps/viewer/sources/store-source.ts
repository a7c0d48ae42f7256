import { statSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'
import { withRepairTexts } from '../../../doctor/drawing.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import { realPlace } from '../../../doctor/files/no-links.ts'
import { type FoundStore, findStores } from '../../../doctor/find-stores.ts'
import { lastWritten } from '../../../doctor/last-written.ts'
import { isUrl } from '../../../doctor/peek.ts'
import type { Examination, StoredConversation, System } from '../../../doctor/system.ts'
import type { CatalogueItem, SourceInfo, StoredDocument } from '../protocol.ts'
import { encodeDocument, firstMessages } from './encode-document.ts'
import { assertSize, documentBytesMax, unknownItem } from './limits.ts'
import type { Listing, OpenSource } from './open-source.ts'
import { pause } from './pause.ts'
import { type StoredPlace, StoreRepairs, shownPath } from './store-repairs.ts'

/**
 * The conversations of other programs at a path or below it, as the doctor finds them. Only their ids are kept: each one is read again
 * when it is opened.
 */
export async function openStores(source: SourceInfo, path: string, systems: readonly System[]): Promise<OpenSource> {
  await assertReadable(path, systems)
  const places: Place[] = []
  const repairs = new StoreRepairs(systems)
  let ready: { readonly item: string; readonly document: StoredDocument } | undefined
  let report: Listing['onItem'] = () => {}
  const placeOf = (item: string): Stored => {
    const place = places[Number(item) - 1]
    if (!place) throw unknownItem(source)
    if ('error' in place) throw place.error
    mustBeListed(place)
    return place
  }
  return {
    source,
    async list(listing) {
      report = listing.onItem
      for (const found of findStores(path, systems)) {
        if (listing.signal.aborted) return
        if (found.kind === 'store') await listStore({ source, places, ...listing }, found.path, found.system)
        const failure = failureOf(found)
        if (failure) reportFailure({ source, places, ...listing }, failure)
      }
      listing.onListed()
    },
    async document(item, extent) {
      const place = placeOf(item)
      // The page loads the head first and then the whole document: it is read once for both.
      const known = extent === 'whole' && ready?.item === item ? ready.document : undefined
      const document = known ?? (await readDocument(item, place, source, repairs))
      ready = extent === 'head' ? { item, document } : undefined
      return encodeDocument(extent === 'head' ? headDocument(document) : document)
    },
    async repair(item, action) {
      const place = placeOf(item)
      try {
        return await repairs.act(item, place, action)
      } finally {
        ready = undefined
        await findConversation(place, async conversation => {
          if (conversation) report(await checkedItem(source, item, place, conversation))
        }).catch(() => {})
      }
    },
    async close() {},
  }
}

/** Throws if there is no readable conversation at a path. */
async function assertReadable(path: string, systems: readonly System[]): Promise<void> {
  let failure: Error | undefined
  for (const found of findStores(path, systems)) {
    try {
      failure ??= failureOf(found)
      if (found.kind !== 'store') continue
      const store = await found.system.open(found.path, { now: Date.now() })
      try {
        for await (const _ of store.conversations()) return
      } finally {
        await store.close()
      }
    } catch (error) {
      failure ??= readableError(path, error)
    }
  }
  throw (
    failure ??
    fileError(
      shownPath(path),
      'no conversation of a known program',
      'antiphon doctor --help lists the supported programs',
    )
  )
}

/** Where a conversation is, or why it cannot be read. Its item id is its index plus one. */
type Place = Stored | { readonly error: Error }

interface Stored extends StoredPlace {
  /** Its index among the conversations of its store. */
  readonly ordinal: number
  /** The path with all links resolved, when it was listed. */
  readonly real: string
}

/** A search follows no link out of the named path, so nothing is read or repaired through one that was made since. */
function mustBeListed({ path, real }: Stored): void {
  if (realOf(path) !== real)
    throw fileError(shownPath(path), 'it was replaced by a link to another place', 'open the viewer again')
}

const realOf = (path: string): string => (isUrl(path) ? path : realPlace(path))

interface Work extends Listing {
  readonly source: SourceInfo
  readonly places: Place[]
}

async function listStore(work: Work, path: string, system: System): Promise<void> {
  const { places, signal, onItem, source } = work
  try {
    const store = await system.open(path, { now: Date.now() })
    try {
      const real = realOf(path)
      let ordinal = 0
      for await (const conversation of store.conversations()) {
        if (signal.aborted) return
        const place: Stored = { path, system, id: conversation.id, ordinal: ordinal++, real }
        places.push(place)
        const id = String(places.length)
        onItem(itemOf(source, id, place, conversation))
        await pause()
        onItem(await checkedItem(source, id, place, conversation))
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    reportFailure(work, readableError(path, error))
  }
}

function itemOf(
  { id: source }: SourceInfo,
  id: string,
  place: Stored,
  conversation: StoredConversation,
): CatalogueItem {
  const at = lastWritten(place.path)
  return {
    source,
    id,
    title: titleOf(conversation),
    state: 'unknown',
    system: place.system.title,
    ...(at === undefined ? {} : { at }),
  }
}

const checkedItem = async (
  source: SourceInfo,
  id: string,
  place: Stored,
  conversation: StoredConversation,
): Promise<CatalogueItem> => ({
  ...itemOf(source, id, place, conversation),
  ...(await verdictOn(conversation, place.path)),
})

async function verdictOn(
  conversation: StoredConversation,
  path: string,
): Promise<Pick<CatalogueItem, 'state' | 'counts' | 'note'>> {
  if (sizeOf(path) > documentBytesMax) return { state: 'unknown', note: 'too large to be shown' }
  try {
    const { state, counts, notes } = await conversation.examine()
    return { state, counts, ...(notes.length > 0 ? { note: notes[0] } : {}) }
  } catch (error) {
    return { state: 'unreadable', note: readableError(path, error).message }
  }
}

const sizeOf = (path: string): number => {
  const stat = isUrl(path) ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.size : 0
}

function reportFailure({ source, places, onItem }: Work, error: Error): void {
  places.push({ error })
  onItem({ source: source.id, id: String(places.length), title: source.name, state: 'unreadable', note: error.message })
}

/** Why something at a path cannot be shown; undefined for what is not a store. */
function failureOf(found: FoundStore): Error | undefined {
  if (found.kind === 'unreadable') return found.error
  return found.kind === 'unfinished'
    ? fileError(found.path, 'a repair was interrupted here', 'antiphon doctor --fix finishes it')
    : undefined
}

async function readDocument(
  item: string,
  place: Stored,
  source: SourceInfo,
  repairs: StoreRepairs,
): Promise<StoredDocument> {
  assertSize(place.path, sizeOf(place.path))
  return findConversation(place, async conversation => {
    if (!conversation) throw unknownItem(source)
    const examination = await repairs.examine(conversation, place)
    const at = lastWritten(place.path)
    return {
      ...documentOf(examination, conversation, place),
      ...(at === undefined ? {} : { at }),
      ...repairs.commands(item, place, examination.storeRepair !== undefined),
    }
  })
}

/** Opens a store again for one of its conversations: the one at its index, or else the first with its id. */
async function findConversation<T>(
  { path, system, id, ordinal }: Stored,
  use: (conversation: StoredConversation | undefined) => Promise<T>,
): Promise<T> {
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
      return await use(found)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw readableError(path, error)
  }
}

/** Some programs use the whole first message as the title. */
const titleOf = ({ id, title }: Pick<StoredConversation, 'id' | 'title'>): string => (title || id).slice(0, titleMax)

const titleMax = 300

function documentOf(
  examination: Examination,
  conversation: Pick<StoredConversation, 'id' | 'title'>,
  { path, system: { title: system } }: StoredPlace,
): StoredDocument {
  const { state, notes, draw } = examination
  const name = titleOf(conversation)
  if (!draw) throw fileError(name, 'it cannot be shown', 'antiphon doctor reports what is wrong with it')
  return { kind: 'stored', name, system, path: shownPath(path), state, notes, ...withRepairTexts(examination, draw()) }
}

/** The first messages, before the repair, with their records. */
export function headDocument(document: StoredDocument): StoredDocument {
  const { records } = document
  const needed = new Set<number>()
  const messages = firstMessages(document.messages, ({ origin, parts }) => {
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

/** An error with one line, and without a password. */
const readableError = (path: string, error: unknown): Error =>
  AntiphonError.is(error) ? error : fileError(shownPath(path), failureReason(error))
