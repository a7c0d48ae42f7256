import { failureReason } from '../../doctor/files/file-error.ts'
import { Feed } from './feed.ts'
import type { Item, Notice, Source } from './protocol.ts'
import type { OpenSource } from './sources/open-source.ts'

/** All that was opened: its sources, and their items as they are found. */
export class Catalogue {
  readonly notices = new Feed<Notice>()
  readonly #sources: ReadonlyMap<string, OpenSource>
  readonly #ending = new AbortController()
  readonly #listings: Promise<unknown>
  readonly #listed: Promise<void>

  constructor(sources: readonly OpenSource[]) {
    this.#sources = new Map(sources.map(source => [source.source.id, source]))
    for (const { source } of sources) this.notices.tell(`source ${source.id}`, { kind: 'source', source })
    const listings: Promise<void>[] = []
    const listed = sources.map(source => new Promise<void>(whole => listings.push(this.#list(source, whole))))
    this.#listings = Promise.all(listings)
    this.#listed = Promise.all(listed).then(() => {})
  }

  /** When everything that is there has been told once. */
  get listed(): Promise<void> {
    return this.#listed
  }

  get sources(): Source[] {
    return [...this.#sources.values()].map(({ source }) => source)
  }

  get items(): Item[] {
    return [...this.notices.values()].flatMap(notice => (notice.kind === 'item' ? [notice.item] : []))
  }

  find(source: string): OpenSource | undefined {
    return this.#sources.get(source)
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#listings
    await Promise.all([...this.#sources.values()].map(source => source.close()))
  }

  async #list(source: OpenSource, whole: () => void): Promise<void> {
    const { id } = source.source
    const listed = (): void => {
      this.notices.tell(`listed ${id}`, { kind: 'listed', source: id })
      whole()
    }
    const tell = (item: Item): void => this.notices.tell(`item ${item.source} ${item.id}`, { kind: 'item', item })
    try {
      await source.list({ tell, listed, isHeard: () => this.notices.isHeard, signal: this.#ending.signal })
    } catch (error) {
      const note = failureReason(error)
      tell({ source: id, id: '0', title: source.source.name, state: 'unreadable', note })
      listed()
    }
    whole()
  }
}
