import { createDocumentService } from '../../../../src/apps/viewer/document/create-document-service.ts'
import type { DocumentService, MessageWindow, OpenedDocument } from '../../../../src/apps/viewer/document-service.ts'
import type { Document, HistoryOptions } from '../../../../src/apps/viewer/protocol.ts'

/** A document service with an open document. */
export async function openDocument(
  document: Document | string,
): Promise<{ service: DocumentService; opened: OpenedDocument }> {
  const service = createDocumentService()
  return { service, opened: await service.open(document) }
}

export const openValue = (value: unknown, options: HistoryOptions = {}) =>
  openDocument({ kind: 'history', name: 'chat.json', value, options })

export const whole = (service: DocumentService, step = 0): Promise<MessageWindow> =>
  service.window(step, 0, Number.MAX_SAFE_INTEGER)

export const user = (content: unknown) => ({ role: 'user', content })
export const assistant = (content: unknown) => ({ role: 'assistant', content })
export const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(id => ({
    id,
    type: 'function',
    function: { name: 'get_weather', arguments: `{"city":"${id}"}` },
  })),
})
export const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content })
