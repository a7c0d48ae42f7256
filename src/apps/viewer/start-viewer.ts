import { Catalogue } from './catalogue.ts'
import { readPage } from './page-file.ts'
import { serve } from './server.ts'
import { type OpenOptions, openSources } from './sources/open-sources.ts'

export interface ViewerOptions extends OpenOptions {
  /** What to show: files, folders, addresses, `-` for standard input. None: the page is empty, for dropping files on it. */
  readonly paths?: readonly string[]
  /** Any free one by default. */
  readonly port?: number
  /** The page, if it is not the one of this package. */
  readonly page?: string
}

export interface Viewer {
  /** For a browser on this machine. Whoever knows it can see everything that was opened. */
  readonly url: string
  /** What could not be opened, beside what could. */
  readonly troubles: readonly Error[]
  /** Ends all streams, and closes what was opened. */
  close(): Promise<void>
}

/** Opens what is to be shown and serves the page for it. Throws in one clear line if nothing of it can be read. */
export async function startViewer({
  paths = [],
  port = 0,
  page = readPage(),
  ...options
}: ViewerOptions = {}): Promise<Viewer> {
  const { sources, troubles } = await openSources(paths, options)
  const catalogue = new Catalogue(sources)
  try {
    const server = await serve(page, catalogue, port)
    return {
      url: server.url,
      troubles,
      async close() {
        await server.close()
        await catalogue.close()
      },
    }
  } catch (error) {
    await catalogue.close()
    throw error
  }
}
