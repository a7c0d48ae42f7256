import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import type { Endpoint } from './endpoint.ts'
import { hosts, isLocal } from './hosts.ts'
import { makers, templates } from './models.ts'

/**
 * The dialect that an endpoint insists on, identified by the host, else by the path, else by the model, else by the format.
 */
export function endpointDialect(endpoint: Endpoint, model: string | undefined): DialectId {
  const { url, format, owner } = endpoint
  const key = `${format} ${owner} ${url.hostname}${url.pathname} ${model}`
  const known = found.get(key)
  if (known !== undefined) return known
  const dialect = findDialect(endpoint, model)
  if (found.size >= foundMax) found.clear()
  if (key.length <= keyMax) found.set(key, dialect)
  return dialect
}

/**
 * A program uses the same few endpoints again and again, and searching all hosts and models costs more than checking a short
 * request.
 */
const found = new Map<string, DialectId>()
const [foundMax, keyMax] = [1000, 300]

function findDialect({ url, format, owner }: Endpoint, model: string | undefined): DialectId {
  const dialect = byHost(url.hostname, format) ?? byPath(url.pathname) ?? owner ?? byModel(url.hostname, model)
  return dialect !== undefined && acceptsFormat(dialect, format) ? dialect : home(format)
}

/** Whether the provider of a dialect accepts a format. */
function acceptsFormat(dialect: DialectId, format: CodecId): boolean {
  const { acceptedBy }: Codec = codecs[format]
  return acceptedBy === undefined || acceptedBy.includes(dialect)
}

const home = (format: CodecId): DialectId => codecs[format].home as DialectId

function byHost(hostname: string, format: CodecId): DialectId | undefined {
  const known = hosts.find(({ host, formats }) => host.test(hostname) && formats?.includes(format) !== false)
  return known && (known.dialect ?? home(format))
}

/** Gateways name the provider in the path, as in `/mistral/v1/chat/completions`. */
const byPath = (path: string): DialectId | undefined =>
  path
    .split('/')
    .map(word => aliases[word.toLowerCase()] ?? word)
    .find(isNamed)

const isNamed = (word: string): word is DialectId => Object.hasOwn(dialects, word) && !neutral.has(word)

/** Words that also occur in the paths of other providers, and do not identify one. */
const neutral = new Set(['openai', 'openai-responses', 'lenient'])

const aliases: Readonly<Record<string, DialectId | undefined>> = Object.assign(Object.create(null), {
  mistralai: 'mistral',
  'google-ai-studio': 'gemini',
  'google-vertex-ai': 'vertex',
  vertex_ai: 'vertex',
  'x-ai': 'xai',
  grok: 'xai',
  moonshotai: 'moonshot',
  'z-ai': 'glm',
  zai: 'glm',
  'aws-bedrock': 'bedrock',
} satisfies Record<string, DialectId>)

function byModel(hostname: string, model: string | undefined): DialectId | undefined {
  if (model === undefined) return undefined
  const families = isLocal(hostname) ? [...templates, ...makers] : makers
  return families.find(({ models }) => models.test(model))?.dialect
}
