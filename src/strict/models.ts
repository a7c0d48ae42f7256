import { now } from './clock.ts'
import type { JsonObject } from './json.ts'
import type { Api } from './provider.ts'

/** The list of models in the shape of the API. There is one; every other name works as well. */
export function modelList(api: Api, provider: string): JsonObject {
  if (api === 'gemini')
    return {
      models: [{ name: 'models/strict', displayName: 'Strict', supportedGenerationMethods: ['generateContent'] }],
    }
  if (api === 'anthropic') {
    const data = [{ type: 'model', id: 'strict', display_name: 'Strict', created_at: '2026-01-01T00:00:00Z' }]
    return { data, has_more: false, first_id: 'strict', last_id: 'strict' }
  }
  return { object: 'list', data: [{ id: 'strict', object: 'model', created: now, owned_by: provider }] }
}
