import type { Body } from '../../../codecs/shared/envelope.ts'
import { isRecord } from '../../../core/conversation.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { HealOptions } from '../../../heal/options.ts'
import type { RequestOptions } from '../../../heal/request/heal-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { endpointDialect } from '../endpoint-dialect.ts'

export type EndpointChoices = RequestOptions & { readonly for: DialectId }

/** The options with dialect, format and model of the request. */
export function choicesFor(endpoint: Endpoint, options: RequestOptions, model: string | undefined): EndpointChoices {
  const dialect = options.for ?? endpointDialect(endpoint, model)
  return { ...options, for: dialect, format: endpoint.format, ...(model === undefined ? {} : { model }) }
}

/** Some of Google's endpoints accept a request inside another object. */
export function wrapperIn(value: unknown, { format }: Endpoint): string | undefined {
  if (format !== 'gemini' || !isRecord(value) || value.contents !== undefined) return undefined
  return ['generateContentRequest', 'request'].find(key => isRecord(value[key]))
}

/** The request itself, if it is inside another object. */
export const unwrapped = (value: unknown, wrapper: string | undefined): unknown =>
  wrapper === undefined ? value : (value as Body)[wrapper]

/** The model: from the caller's options, the request, the object around it, or the path. */
export const modelOf = (
  value: unknown,
  fields: unknown,
  { model }: Endpoint,
  options: HealOptions,
): string | undefined => options.model ?? modelIn(fields) ?? modelIn(value) ?? model

function modelIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { model, modelId } = value
  return typeof model === 'string' ? model : typeof modelId === 'string' ? modelId : undefined
}
