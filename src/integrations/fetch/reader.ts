import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import type { Endpoint } from './endpoint.ts'
import { hosts, isLocal } from './hosts.ts'
import { makers, templates } from './models.ts'

/** Who will read what is sent to an endpoint: the host says it, else the path, else the model, else the wire. */
export function readerOf(endpoint: Endpoint, model: string | undefined): DialectId {
  const { url, format, owner } = endpoint
  const key = `${format} ${owner} ${url.hostname}${url.pathname} ${model}`
  const known = found.get(key)
  if (known !== undefined) return known
  const reader = findReader(endpoint, model)
  if (found.size >= foundMax) found.clear()
  if (key.length <= keyMax) found.set(key, reader)
  return reader
}

/** A program asks the same few places over and over, and to look through all hosts and models costs more than a short request does. */
const found = new Map<string, DialectId>()
const [foundMax, keyMax] = [1000, 300]

function findReader({ url, format, owner }: Endpoint, model: string | undefined): DialectId {
  const reader = byHost(url.hostname, format) ?? byPath(url.pathname) ?? owner ?? byModel(url.hostname, model)
  return reader !== undefined && reads(reader, format) ? reader : home(format)
}

/** Whether a reader takes a wire. */
export function reads(reader: DialectId, format: CodecId): boolean {
  const { acceptedBy: readers }: Codec = codecs[format]
  return readers === undefined || readers.includes(reader)
}

const home = (format: CodecId): DialectId => codecs[format].home as DialectId

function byHost(hostname: string, format: CodecId): DialectId | undefined {
  const known = hosts.find(({ host, formats }) => host.test(hostname) && formats?.includes(format) !== false)
  return known && (known.reader ?? home(format))
}

/** Gateways name the provider in the path, as in `/mistral/v1/chat/completions`. */
const byPath = (path: string): DialectId | undefined =>
  path
    .split('/')
    .map(word => aliases[word.toLowerCase()] ?? word)
    .find(isNamed)

const isNamed = (word: string): word is DialectId => Object.hasOwn(dialects, word) && !neutral.has(word)

/** Words that stand in the paths of every other provider too, and say nothing. */
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
  return families.find(({ models }) => models.test(model))?.reader
}
