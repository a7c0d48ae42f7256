import type { Desk, Opened, SheetWindow } from '../../../../src/apps/viewer/desk.ts'
import type { Document, HistoryOptions } from '../../../../src/apps/viewer/protocol.ts'
import { createDesk } from '../../../../src/apps/viewer/sheet/create-desk.ts'

/** A desk with a document on it. */
export async function openDocument(document: Document | string): Promise<{ desk: Desk; opened: Opened }> {
  const desk = createDesk()
  return { desk, opened: await desk.open(document) }
}

export const openValue = (value: unknown, options: HistoryOptions = {}) =>
  openDocument({ kind: 'history', name: 'chat.json', value, options })

export const whole = (desk: Desk, step = 0): Promise<SheetWindow> => desk.window(step, 0, Number.MAX_SAFE_INTEGER)

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
