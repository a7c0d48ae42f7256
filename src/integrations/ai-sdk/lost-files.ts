import { isRecord } from '../../core/conversation.ts'
import { shortHash } from '../../core/ids.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Entry, ErrorData } from '../../journal/entry.ts'
import type { Store } from '../../journal/stores/store.ts'
import { readThread } from './read-thread.ts'

/**
 * The files that a turn of a chat failed for: they cannot be fetched or read, or the provider does not accept them. Such a
 * file is in every later prompt and would fail every later turn, so it is replaced by a text (`messagesForModel`). The
 * failures are read from the journal, so that every process knows them. A file that the user sends again is tried again.
 */
export class LostFiles {
  readonly #store: Store
  readonly #name: string
  readonly #lost = new Set<string>()
  /** The other files that were sent, by key, and those of each input that is not admitted yet. */
  readonly #sent = new Map<string, ChatFile>()
  readonly #waiting = new Map<number, readonly ChatFile[]>()
  /** The files at the beginning of the current turn. */
  #own: ChatFile[] = []
  /** Files that no accepted prompt had so far. */
  readonly #unproven = new Set<string>()
  /** Whether a turn has failed because of files since the model answered last. */
  #hasFailed = false
  /** Whether the model has answered in the current turn. */
  #isAnswered = false
  #head = 0
  #reading: Promise<unknown> = Promise.resolve()

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  /** The keys of the files. */
  async read(): Promise<ReadonlySet<string>> {
    this.#reading = this.#reading.then(
      () => this.#catchUp(),
      () => this.#catchUp(),
    )
    await this.#reading
    return this.#lost
  }

  async #catchUp(): Promise<void> {
    const { entries = [] } = (await readThread(this.#store, this.#name, this.#head)) ?? {}
    for (const entry of entries) this.#take(entry)
  }

  #take(entry: Entry): void {
    this.#head = entry.seq
    if (entry.kind === 'input-submit') {
      const files = filesIn(entry.content)
      for (const file of files) {
        this.#sent.set(file.key, file)
        this.#lost.delete(file.key)
      }
      if (files.length > 0) this.#waiting.set(entry.seq, files)
    } else if (entry.kind === 'turn-start') {
      this.#own = []
      this.#isAnswered = false
    } else if (entry.kind === 'response-record' && entry.messages.length > 0) {
      this.#isAnswered = true
      this.#hasFailed = false
      this.#unproven.clear()
    } else if (entry.kind === 'input-admit')
      for (const seq of entry.inputs) {
        for (const file of this.#waiting.get(seq) ?? []) {
          this.#own.push(file)
          this.#unproven.add(file.key)
        }
        this.#waiting.delete(seq)
      }
    else if (entry.kind === 'turn-end' && entry.error) this.#fail(entry.error)
  }

  #fail(error: ErrorData): void {
    const blamed = [...this.#blamed(error)]
    for (const { key } of this.#hasFailed ? [...blamed, ...this.#suspects(error, blamed)] : blamed) {
      this.#lost.add(key)
      this.#sent.delete(key)
    }
    this.#hasFailed ||= blamed.length > 0
  }

  /**
   * An error names one file, and others may fail as well, one in each turn: all files of a message, or links that expire together. So the second
   * failure in a row is that of all earlier files: of those that were never accepted, if one of them is blamed.
   */
  *#suspects(error: ErrorData, blamed: readonly ChatFile[]): Iterable<ChatFile> {
    const own = new Set(this.#own.map(({ key }) => key))
    const earlier = blamed.find(({ key }) => !own.has(key))
    if (!earlier) return
    const isUnproven = this.#unproven.has(earlier.key)
    const isFetching = isAboutFetching(error)
    for (const file of this.#sent.values()) {
      const isPossible = !own.has(file.key) && (!isFetching || !isData(file))
      if (isPossible && (!isUnproven || this.#unproven.has(file.key))) yield file
    }
  }

  /**
   * The files named in the error, by URL, host or media type; else those at the beginning of the turn; else all that are
   * possible.
   */
  #blamed(error: ErrorData): Iterable<ChatFile> {
    const isFetching = isAboutFetching(error)
    // A turn whose prompt was accepted once did not fail because of a file in it.
    if (!isFetching && (this.#isAnswered || !isAboutFiles(error))) return []
    const { message } = error
    const sent = [...this.#sent.values()].filter(file => !isFetching || !isData(file))
    const named = sent.filter(({ url }) => url !== '' && (message.includes(url) || message.includes(hrefOf(url))))
    if (named.length > 0) return named
    const hosts = sent.filter(({ url }) => isHostIn(message, url))
    if (hosts.length > 0) return hosts
    const keys = new Set(sent.map(({ key }) => key))
    const own = this.#own.filter(({ key }) => keys.has(key))
    const typed = (own.length > 0 ? own : sent).filter(({ type }) => type !== '' && message.includes(type))
    if (typed.length > 0) return typed
    return own.length > 0 ? own : sent
  }
}

/** A file in a message of a chat. */
export interface ChatFile {
  /** Identifies the file; short, whatever the length of its data. */
  readonly key: string
  /** Its URL, or its data as a `data:` URL, cut if it is long. */
  readonly url: string
  readonly type: string
}

/** The file in a part of a message, if it is one. */
export function fileOfPart(part: unknown): ChatFile | undefined {
  if (!isRecord(part) || !fileTypes.has(String(part.type))) return undefined
  const place = [part.url, part.data, part.image].find(value => typeof value === 'string' || value instanceof URL)
  const url = place === undefined ? '' : String(place)
  const { mediaType } = part
  const type = typeof mediaType === 'string' ? mediaType : ''
  // In a prompt the library has only the data of a `data:` URL.
  const content = url.replace(/^data:[^,]*;base64,/, '')
  const key = content.length <= urlMax ? content : `${content.length} ${shortHash(content)}`
  return { key, url: url.slice(0, urlMax), type }
}

const urlMax = 2_000

const isData = ({ url }: ChatFile): boolean => url.startsWith('data:')

/** Error messages of the library and of providers: the SDK fetches what a provider cannot, and a provider the rest. */
const isAboutFetching = ({ name, message }: ErrorData): boolean =>
  name === 'AI_DownloadError' || /\b(?:while downloading|(?:failed|unable) to download)\b/i.test(message)

/** The library cannot read a file or pass it to this provider, or the provider rejects it. */
function isAboutFiles({ name, message, status }: ErrorData): boolean {
  if (name === 'InvalidCharacterError' || name === 'AI_InvalidDataContentError') return true
  if (name === 'AI_UnsupportedFunctionalityError') return /file|image|media|audio|video/i.test(message)
  if (status === undefined && name !== 'AI_APICallError') return false
  return /^(?:image-|document)/.test(readRejection(status ?? 400, message)?.kind ?? '')
}

function filesIn(content: unknown): ChatFile[] {
  if (Array.isArray(content)) return content.flatMap(filesIn)
  if (!isRecord(content)) return []
  const file = fileOfPart(content)
  return file === undefined ? [...filesIn(content.parts), ...filesIn(content.content)] : [file]
}

const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

function isHostIn(message: string, url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host !== '' && message.includes(host)
}

const fileTypes = new Set(['file', 'image'])
