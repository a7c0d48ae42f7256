import { findProvider } from '../../../../src/strict/providers/index.ts'
import { ServerState } from '../../../../src/strict/server/state.ts'
import { type Api, apis, requestOf } from './request.ts'
import { type Age, ages, type Files, unmatchedActions } from './view.ts'

/**
 * What strict providers reject of a conversation, by every API and as every age of the program reads it, and what keeps
 * the program from loading it, or would make it run an action again.
 */
export function refusalsOf(files: Files): string[] {
  const status = (JSON.parse(Buffer.from(files.get('base_state.json') ?? []).toString()) as Record<string, unknown>)
    .execution_status
  try {
    const open = unmatchedActions(files)
    const mayWait = open.length > 0 && status === 'waiting_for_confirmation'
    const unmatched = mayWait ? [] : open.map(({ id }) => `action ${id} would run again`)
    const seen = mayWait ? (['enforced'] as const) : ages
    return [...unmatched, ...apis.flatMap(api => seen.flatMap(age => refusalOf(files, api, age)))]
  } catch (error) {
    return [(error as Error).message]
  }
}

function refusalOf(files: Files, api: Api, age: Age): string[] {
  const body = requestOf(files, api, age)
  const provider = api === 'anthropic' ? 'anthropic' : 'openai'
  const refusal = findProvider(provider)?.reject(
    { id: 'req_1', provider, api, path: '/', model: String(body.model), stream: false, headers: {}, body },
    new ServerState(),
  )
  return refusal ? [`${api}, ${age}: ${JSON.stringify(refusal.body)}`] : []
}
