import { type IncomingHttpHeaders, request } from 'node:http'
import { startViewer, type Viewer, type ViewerOptions } from '../../../src/apps/viewer/index.ts'
import type { CatalogueItem, Document, Notice } from '../../../src/apps/viewer/protocol.ts'

/** A small page in place of the real one: with its placeholders and a script. */
export const smallPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Antiphon</title>
</head>
<body>
<div id="page"></div>
<script>document.title = '</scr' + 'ipt>'</script>
<!-- documents -->
</body>
</html>
`

export async function withViewer(
  options: ViewerOptions,
  work: (viewer: Viewer) => void | Promise<void>,
): Promise<void> {
  const viewer = await startViewer({ page: smallPage, ...options })
  try {
    await work(viewer)
  } finally {
    await viewer.close()
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Asks as any program can, also with headers that no browser would send. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The values of an event stream, one after the other, until the reader has seen enough. */
export async function* eventsOf<Value>(url: string, signal?: AbortSignal): AsyncGenerator<Value> {
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6))
  }
}

/** All items, when every source has been gone through. */
export async function itemsOf({ url }: Viewer): Promise<CatalogueItem[]> {
  const items = new Map<string, CatalogueItem>()
  const [sources, listed] = [new Set<string>(), new Set<string>()]
  for await (const notice of eventsOf<Notice>(`${url}api/events`)) {
    if (notice.kind === 'source') sources.add(notice.source.id)
    if (notice.kind === 'item') items.set(`${notice.item.source}/${notice.item.id}`, notice.item)
    if (notice.kind === 'listed') listed.add(notice.source)
    if (sources.size > 0 && listed.size === sources.size) break
  }
  return [...items.values()]
}

export async function documentOf({ url }: Viewer, { source, id }: CatalogueItem, head = ''): Promise<Document> {
  const { status, body } = await ask(`${url}api/documents/${source}/${id}${head}`)
  if (status !== 200) throw new Error(`${status} ${body}`)
  return JSON.parse(body)
}
