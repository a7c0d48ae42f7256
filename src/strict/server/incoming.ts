import { objectOf, parse, stringOf } from '../json.ts'
import { type Api, apisOf, type Provider, type Refusal, type StrictRequest } from '../provider.ts'
import { findRoute, guessApi, type Route, splitProvider } from './routes.ts'

/** A request off the wire. */
export interface Incoming {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** Undefined if it was too large to be read. */
  body: Buffer | undefined
}

/** A request as it came in, and what became of it. */
export interface Received extends StrictRequest {
  method: string
  verdict: 'accepted' | Refusal
}

/** Who a request is for. */
export interface Place {
  provider: Provider
  api: Api
  /** Missing if the path leads nowhere, or to an API that the provider does not speak. */
  route: Route | undefined
}

/** Finds out who is asked. `main` answers where the path names nobody. */
export function locate(incoming: Incoming, providers: Provider[], main?: Provider): Place {
  const { method, path, headers } = incoming
  const isAzure = isForAzure(incoming, main)
  // There the word is no name, but part of every path.
  const ids = providers.map(({ id }) => id).filter(id => !(isAzure && id === 'openai'))
  const find = (id: string | undefined) => providers.find(provider => provider.id === id)
  const route = findRoute(method, path, ids)
  const isOfAnthropic = headers['anthropic-version'] !== undefined
  if (!route) {
    const { provider: id, rest } = splitProvider(path, ids)
    const api = isOfAnthropic ? 'anthropic' : guessApi(rest)
    const provider = find(id) ?? main ?? find(api) ?? providers[0]
    return { provider, api: spoken(provider, api), route }
  }
  const isOfModels = route.endpoint === 'models' || route.endpoint === 'model'
  // Both have their models at the same path; only Anthropic's clients send this header.
  const owner = isOfModels && isOfAnthropic ? 'anthropic' : isAzure ? 'azure' : route.provider
  const provider = (route.isNamed ? find(route.provider) : (main ?? find(owner))) ?? providers[0]
  const api = spoken(provider, route.api)
  return { provider, api, route: api === route.api || isOfModels ? route : undefined }
}

/** OpenAI has no versions to ask for. */
const isForAzure = ({ path, query }: Incoming, main: Provider | undefined): boolean =>
  /^\/+openai\//.test(path) && (main?.id === 'azure' || query.has('api-version'))

/** The API, if the provider speaks it, else its main one. */
function spoken(provider: Provider, api: Api): Api {
  const apis = apisOf(provider)
  return apis.includes(api) ? api : apis[0]
}

/** Reads the request. A body that is no JSON stays text. */
export function receive({ provider, api, route }: Place, incoming: Incoming, id: string): Received {
  const { method, path, headers } = incoming
  const text = incoming.body?.toString() ?? ''
  const body = parse(text) ?? text
  const { model, stream } = objectOf(body)
  const hasModel = route?.endpoint === 'reply' || route?.endpoint === 'count'
  return {
    ...{ id, provider: provider.id, api, method, path, headers, body },
    ...(incoming.query.size > 0 && { query: Object.fromEntries(incoming.query) }),
    model: (hasModel ? route.subject : undefined) ?? stringOf(model) ?? '',
    stream: route?.stream ?? stream === true,
    verdict: 'accepted',
  }
}
