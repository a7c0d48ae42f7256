import type { DocumentService, MessageContent, OpenedDocument } from '../../document-service.ts'

const known = new WeakMap<OpenedDocument, Map<string, MessageContent>>()

/** The content of a row, if it was loaded before. Printing cannot wait for a load. */
export const cachedContent = (opened: OpenedDocument, step: number, row: number): MessageContent | undefined =>
  known.get(opened)?.get(`${step}/${row}`)

export async function loadContent(
  service: DocumentService,
  opened: OpenedDocument,
  step: number,
  row: number,
): Promise<MessageContent> {
  const content = await service.content(step, row)
  const contents = known.get(opened) ?? new Map<string, MessageContent>()
  known.set(opened, contents.set(`${step}/${row}`, content))
  return content
}
