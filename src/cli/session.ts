import type { AgentInputItem } from '@openai/agents'
import { applied, operationIn } from '../adapters/openai-agents/session-items.ts'
import { toWire } from '../adapters/openai-agents/wire-items.ts'
import { packBytes } from '../broker/bytes.ts'
import { codecs } from '../codecs/index.ts'
import type { Store, ThreadRow } from '../journal/store.ts'
import { draw } from './draw.ts'
import { allEntries } from './journal-file.ts'
import { plain } from './plain.ts'
import { plural } from './say.ts'

/** The items of a thread that a session of the OpenAI Agents SDK keeps, as they are stored. */
export async function sessionItems(store: Store, row: ThreadRow): Promise<unknown[]> {
  let items: AgentInputItem[] = []
  for await (const entry of allEntries(store, row)) {
    const operation = operationIn(entry)
    if (operation) items = applied(items, operation)
  }
  return packBytes(items) as unknown[]
}

/** They are drawn as the history that they stand for. */
export function drawSession(items: readonly unknown[], { state, head }: ThreadRow): string[] {
  const { decode } = codecs['openai-responses']
  const said = draw(decode(items.map(toWire))).map(({ text }) => plain(text))
  const entries = head === 1 ? '1 entry' : `${head} entries`
  return [...said, `${state}: a session of the OpenAI Agents SDK, ${plural(items.length, 'item')}, ${entries}`]
}
