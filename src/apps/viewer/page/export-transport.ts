import type { Document, ExportDocuments, ExportHead } from '../protocol.ts'
import type { Transport } from './transport.ts'

/** Reads what `--export` wrote into the file. The documents come after the page's own script, so they may not be parsed yet. */
export function exportTransport(element: Element): Transport {
  const head = JSON.parse(element.textContent ?? '') as ExportHead
  const [first] = head.items
  let documents: Promise<ExportDocuments> | undefined
  return {
    kind: 'export',
    notices(onNotice) {
      for (const source of head.sources) onNotice({ kind: 'source', source })
      for (const item of head.items) onNotice({ kind: 'item', item })
      for (const source of head.sources) onNotice({ kind: 'listed', source: source.id })
      return () => {}
    },
    head: async (source, item) => (first?.source === source && first.id === item ? head.first : undefined),
    async document(source, item) {
      documents ??= readDocuments()
      const all = await documents
      const name = `${source}/${item}`
      if (Object.hasOwn(all, name)) return all[name] as Document
      throw new Error('this conversation is not in the file')
    },
    thread: () => () => {},
    act: async () => {
      throw new Error('this is an exported file: calls cannot be approved or denied from here')
    },
  }
}

async function readDocuments(): Promise<ExportDocuments> {
  if (document.readyState === 'loading')
    await new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  const text = document.getElementById('antiphon-documents')?.textContent
  if (!text) throw new Error('the file is cut off: its conversations are missing')
  return JSON.parse(text) as ExportDocuments
}
