import { findProvider } from '../../../../src/strict/providers/index.ts'
import { ServerState } from '../../../../src/strict/server/state.ts'
import { ages, type Mapper, requestOf } from './request.ts'
import type { Row } from './rows.ts'

const strict: Record<Mapper, string> = { anthropic: 'anthropic', 'openai-responses': 'openai', 'openai-chat': 'openai' }

/** Why the next request of a chat is rejected, by mapper and age of the program; empty if all accept it. */
export function refusals(
  rows: readonly Row[],
  mappers: readonly Mapper[] = ['anthropic', 'openai-responses'],
): string[] {
  const found: string[] = []
  for (const mapper of mappers) {
    for (const age of ages) {
      const body = requestOf(rows, mapper, age)
      const refused = findProvider(strict[mapper])?.reject(
        {
          id: 'req_1',
          provider: strict[mapper],
          api: mapper,
          path: '/',
          model: String(body.model),
          stream: true,
          headers: {},
          body,
        },
        new ServerState(),
      )
      if (refused) found.push(`${mapper}, ${age}: ${refused.fact}: ${refused.message}`)
    }
  }
  return found
}
