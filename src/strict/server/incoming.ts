import { objectOf, parse, stringOf } from '../json.ts'
import { type Api, apisOf, type Provider, type ProviderRejection, type StrictRequest } from '../provider.ts'
import { findRoute, guessApi, type StrictRoute, splitProvider } from './routes.ts'

/** A request as received over HTTP. */
export interface IncomingRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** Undefined if it was too large to be read. */
  body: Buffer | undefined
}

/** A received request, and its outcome. */
export interface ReceivedRequest extends StrictRequest {
  method: string
  verdict: 'accepted' | ProviderRejection
}

/** The provider and API that a request is for. */
export interface RequestTarget {
  provider: Provider
  api: Api
  /** Undefined if the path is unknown, or of an API that the provider does not have. */
  route: StrictRoute | undefined
}

/** Finds the provider of a request. `main` is the provider to use when the path does not name one. */
export function locate(incoming: IncomingRequest, providers: Provider[], main?: Provider): RequestTarget {
  const [first] = providers
  if (!first) throw new TypeError('a strict server needs at least one provider')
  const { method, path, headers } = incoming
  const isAzure = isForAzure(incoming, main)
  // For Azure, `openai` is not a provider name, but part of every path.
  const ids = providers.map(({ id }) => id).filter(id => !(isAzure && id === 'openai'))
  const find = (id: string | undefined) => providers.find(provider => provider.id === id)
  const route = findRoute(method, path, ids)
  const isOfAnthropic = headers['anthropic-version'] !== undefined
  if (!route) {
    const { provider: id, rest } = splitProvider(path, ids)
    const api = isOfAnthropic ? 'anthropic' : guessApi(rest)
    const provider = find(id) ?? main ?? find(api) ?? first
    return { provider, api: spoken(provider, api), route }
  }
  const isOfModels = route.endpoint === 'models' || route.endpoint === 'model'
  // OpenAI and Anthropic list their models at the same path; only Anthropic's clients send this header.
  const owner = isOfModels && isOfAnthropic ? 'anthropic' : isAzure ? 'azure' : route.provider
  const provider = (route.isNamed ? find(route.provider) : (main ?? find(owner))) ?? first
  const api = spoken(provider, route.api)
  return { provider, api, route: api === route.api || isOfModels ? route : undefined }
}

/** `api-version` is a parameter of Azure alone: the API of OpenAI itself does not have it. */
const isForAzure = ({ path, query }: IncomingRequest, main: Provider | undefined): boolean =>
  /^\/+openai\//.test(path) && (main?.id === 'azure' || query.has('api-version'))

/** The API, if the provider has it, else its main one. */
function spoken(provider: Provider, api: Api): Api {
  const apis = apisOf(provider)
  return apis.includes(api) ? api : (apis[0] ?? api)
}

/** Reads the request. A body that is not JSON stays text. */
export function readRequest(
  { provider, api, route }: RequestTarget,
  incoming: IncomingRequest,
  id: string,
): ReceivedRequest {
  const { method, path, headers } = incoming
  const text = incoming.body?.toString() ?? ''
  const body = parse(text) ?? text
  const { model, stream } = objectOf(body)
  const hasModel = route?.endpoint === 'reply' || route?.endpoint === 'count'
  return {
    ...{ id, provider: provider.id, api, method, path, headers, body },
    ...(incoming.query.size > 0 && { query: Object.fromEntries(incoming.query) }),
    model: (hasModel ? route.subject : undefined) ?? stringOf(model) ?? '',
    // Ollama streams unless it is told not to.
    stream: route?.stream ?? (api === 'ollama' ? stream !== false : stream === true),
    verdict: 'accepted',
  }
}
