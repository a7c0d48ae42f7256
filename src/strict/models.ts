import type { JsonObject } from './json.ts'
import type { Api } from './provider.ts'
import { fixedTime } from './server/clock.ts'

/** The list of models in the format of the API. It has one entry, but every other name works as well. */
export function modelList(api: Api, provider: string): JsonObject {
  const model = modelBody(api, provider, 'strict')
  if (api === 'gemini' || api === 'ollama') return { models: [model] }
  if (api === 'anthropic') return { data: [model], has_more: false, first_id: model.id, last_id: model.id }
  return { object: 'list', data: [model] }
}

/** A model in the format of the API, with any name. */
export function modelBody(api: Api, provider: string, id: string): JsonObject {
  const name = id === 'strict' ? 'Strict' : id
  if (api === 'gemini')
    return { name: `models/${id}`, displayName: name, supportedGenerationMethods: ['generateContent'] }
  if (api === 'anthropic') return { type: 'model', id, display_name: name, created_at: '2026-01-01T00:00:00Z' }
  if (api === 'ollama')
    return { name: id, model: id, modified_at: '2026-01-01T00:00:00Z', size: 0, digest: '', details: {} }
  return { id, object: 'model', created: fixedTime, owned_by: provider }
}
