import { isRecord } from '../../core/conversation.ts'
import type { Entry, ErrorData } from '../../journal/entry.ts'
import type { Store } from '../../journal/stores/store.ts'
import { readThread } from './read-thread.ts'

/**
 * The URLs of files that a turn of a chat failed for, because nobody could fetch them. Such a file is in every later prompt, and
 * would fail every later turn: so the model is told in words that it was there (`messagesForModel`). What failed is read from the
 * journal, so that every process knows. A URL that the user sends again is tried again.
 */
export class LostFiles {
  readonly #store: Store
  readonly #name: string
  readonly #lost = new Set<string>()
  /** All URLs that were sent, and those of each input that is not said yet. */
  readonly #sent = new Set<string>()
  readonly #waiting = new Map<number, readonly string[]>()
  /** The URLs that were said in the present turn. */
  #own: string[] = []
  #head = 0
  #reading: Promise<unknown> = Promise.resolve()

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

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
      const urls = urlsIn(entry.content)
      for (const url of urls) {
        this.#sent.add(url)
        this.#lost.delete(url)
      }
      if (urls.length > 0) this.#waiting.set(entry.seq, urls)
    } else if (entry.kind === 'turn-start') this.#own = []
    else if (entry.kind === 'input-admit')
      for (const seq of entry.inputs) {
        this.#own.push(...(this.#waiting.get(seq) ?? []))
        this.#waiting.delete(seq)
      }
    else if (entry.kind === 'turn-end' && entry.error && isAboutFetching(entry.error))
      for (const url of this.#blamed(entry.error.message)) this.#lost.add(url)
  }

  /** Those that the error names, by the whole URL or by its host; else those that the turn began with; else all. */
  #blamed(message: string): Iterable<string> {
    const sent = [...this.#sent]
    const named = sent.filter(url => message.includes(url) || message.includes(hrefOf(url)))
    if (named.length > 0) return named
    const hosts = sent.filter(url => isHostIn(message, url))
    if (hosts.length > 0) return hosts
    return this.#own.length > 0 ? this.#own : sent
  }
}

/** The URL that a part of a message leads to, if it is one that somebody has to fetch. */
export function urlOfPart(part: unknown): string | undefined {
  if (!isRecord(part) || !fileTypes.has(String(part.type))) return undefined
  const place = [part.url, part.data, part.image].find(value => typeof value === 'string' || value instanceof URL)
  const url = place === undefined ? '' : String(place)
  return remote.test(url) ? url : undefined
}

/** As the library and providers say it: the SDK fetches what a provider cannot, and a provider the rest. */
const isAboutFetching = ({ name, message }: ErrorData): boolean =>
  name === 'AI_DownloadError' || /\b(?:while downloading|(?:failed|unable) to download)\b/i.test(message)

function urlsIn(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(urlsIn)
  if (!isRecord(content)) return []
  const url = urlOfPart(content)
  return url === undefined ? [...urlsIn(content.parts), ...urlsIn(content.content)] : [url]
}

const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

function isHostIn(message: string, url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host !== '' && message.includes(host)
}

const fileTypes = new Set(['file', 'image'])

/** Not data that stands in the message itself. */
const remote = /^(?!data:)[a-z][a-z\d+.-]*:\/\//i
