/** The environment variables to set for clients, for the providers that the proxy forwards to. */
export function baseUrls(url: string, to: string | Readonly<Record<string, string>>): string[] {
  const entries: [string, string][] = typeof to === 'string' ? [['', to]] : Object.entries(to)
  return entries.flatMap(([name, upstream]) => {
    const base = name === '' ? url : `${url}/${name}`
    const subject = `${name} ${upstream}`
    const ending = variables.filter(({ end }) => end.test(upstream))
    const known = ending.length > 0 ? ending : variables.filter(({ sign }) => sign.test(subject))
    return (known.length > 0 ? known : [openai, anthropic]).map(
      ({ variable, version }) => `${variable}=${base}${isVersioned(upstream) ? '' : version}`,
    )
  })
}

/** A provider is identified by a path that ends with its name, as gateways use it, or by the name or the URL of the upstream. */
const openai = { end: /\/openai\/*$/i, sign: /openai/i, variable: 'OPENAI_BASE_URL', version: '/v1' }
const anthropic = { end: /\/anthropic\/*$/i, sign: /anthropic/i, variable: 'ANTHROPIC_BASE_URL', version: '' }
const gemini = {
  ...{ end: /\/gemini\/*$/i, sign: /gemini|generativelanguage/i },
  ...{ variable: 'GOOGLE_GEMINI_BASE_URL', version: '' },
}
const variables = [openai, anthropic, gemini]

/** The upstream URL ends with a version. If a client adds one too, the proxy does not repeat it. */
const isVersioned = (upstream: string): boolean => /\/v\d+\w*(\/|$)/.test(upstream)
