import type { AgentInputItem } from '@openai/agents'
import { codecs } from '../../codecs/index.ts'
import { toApiItem } from '../../integrations/openai-agents/api-items.ts'
import { operationIn, SessionItems } from '../../integrations/openai-agents/session-items.ts'
import { packBytes } from '../../journal/bytes.ts'
import type { Entry } from '../../journal/entry.ts'
import { readEntries } from '../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../journal/stores/store.ts'
import { plural } from './counts.ts'
import { draw } from './draw.ts'
import { plain } from './plain.ts'

/** The stored items of a thread that belongs to a session of the OpenAI Agents SDK. */
export const sessionItems = async (store: Store, row: ThreadRow): Promise<unknown[]> =>
  packBytes(await itemsIn(readEntries(store, row))) as unknown[]

async function itemsIn(entries: AsyncIterable<Entry>): Promise<AgentInputItem[]> {
  const items = new SessionItems()
  for await (const entry of entries) {
    const operation = operationIn(entry)
    if (operation) items.apply(operation)
  }
  return items.list()
}

/** The history that the items of a session represent. */
export const keptHistory = async (
  entries: AsyncIterable<Entry>,
): Promise<{ format: 'openai-responses'; history: unknown[] }> => ({
  format: 'openai-responses',
  history: (packBytes(await itemsIn(entries)) as unknown[]).map(toApiItem),
})

/** Draws the items of a session as that history. */
export function drawSession(items: readonly unknown[], { state, head }: ThreadRow): string[] {
  const { decode } = codecs['openai-responses']
  const lines = draw(decode(items.map(toApiItem))).map(({ text }) => plain(text))
  const entries = head === 1 ? '1 entry' : `${head} entries`
  return [...lines, `${state}: a session of the OpenAI Agents SDK, ${plural(items.length, 'item')}, ${entries}`]
}
