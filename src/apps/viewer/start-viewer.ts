import { readPage } from './page-file.ts'
import { startServer } from './server.ts'
import { SourceIndex } from './source-index.ts'
import { openSources, type SourceOptions } from './sources/open-sources.ts'

export interface ViewerOptions extends SourceOptions {
  /** Files, folders, URLs, or `-` for standard input. Without any, the page is empty, and files can be dropped on it. */
  readonly paths?: readonly string[]
  /** Any free port by default. */
  readonly port?: number
  /** The HTML of the page, if it is not the one of this package. */
  readonly page?: string
}

export interface Viewer {
  /** For a browser on this machine. It contains a secret token that gives access to everything that was opened. */
  readonly url: string
  /** Why some paths could not be opened. */
  readonly failures: readonly Error[]
  /** Ends all streams and closes all sources. */
  close(): Promise<void>
}

/** Opens the paths and serves the page for them. Throws an error with one line if none of them can be read. */
export async function startViewer({
  paths = [],
  port = 0,
  page = readPage(),
  ...options
}: ViewerOptions = {}): Promise<Viewer> {
  const { sources, failures } = await openSources(paths, options)
  const index = new SourceIndex(sources)
  try {
    const server = await startServer(page, index, port)
    return {
      url: server.url,
      failures,
      async close() {
        await server.close()
        await index.close()
      },
    }
  } catch (error) {
    await index.close()
    throw error
  }
}
