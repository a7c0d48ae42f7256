import { failureReason } from '../../doctor/files/file-error.ts'
import { Feed } from './feed.ts'
import type { CatalogueItem, Notice, SourceInfo } from './protocol.ts'
import type { OpenSource } from './sources/open-source.ts'

/** The opened sources, and their items as they are found. */
export class SourceIndex {
  readonly notices = new Feed<Notice>()
  readonly #sources: ReadonlyMap<string, OpenSource>
  readonly #ending = new AbortController()
  readonly #listings: Promise<unknown>
  readonly #listed: Promise<void>

  constructor(sources: readonly OpenSource[]) {
    this.#sources = new Map(sources.map(source => [source.source.id, source]))
    this.notices.publish('opened', { kind: 'opened', sources: sources.length })
    for (const { source } of sources) this.notices.publish(`source ${source.id}`, { kind: 'source', source })
    const listings: Promise<void>[] = []
    const listed = sources.map(source => new Promise<void>(done => listings.push(this.#list(source, done))))
    this.#listings = Promise.all(listings)
    this.#listed = Promise.all(listed).then(() => {})
  }

  /** Resolves when every source has listed its items once. */
  get listed(): Promise<void> {
    return this.#listed
  }

  get sources(): SourceInfo[] {
    return [...this.#sources.values()].map(({ source }) => source)
  }

  get items(): CatalogueItem[] {
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

  async #list(source: OpenSource, done: () => void): Promise<void> {
    const { id } = source.source
    const onListed = (): void => {
      this.notices.publish(`listed ${id}`, { kind: 'listed', source: id })
      done()
    }
    const onItem = (item: CatalogueItem): void =>
      this.notices.publish(`item ${item.source} ${item.id}`, { kind: 'item', item })
    try {
      await source.list({
        onItem,
        onListed,
        hasListeners: () => this.notices.hasListeners,
        signal: this.#ending.signal,
      })
    } catch (error) {
      const note = failureReason(error)
      onItem({ source: id, id: '0', title: source.source.name, state: 'unreadable', note })
      onListed()
    }
    done()
  }
}
