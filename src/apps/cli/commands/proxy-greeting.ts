/** The variables to set for the programs that go through the proxy: those of the providers that it sends to. */
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

/** A provider is told by a path that ends with its name, as gateways have it, or else by a name or an address. */
const openai = { end: /\/openai\/*$/i, sign: /openai/i, variable: 'OPENAI_BASE_URL', version: '/v1' }
const anthropic = { end: /\/anthropic\/*$/i, sign: /anthropic/i, variable: 'ANTHROPIC_BASE_URL', version: '' }
const gemini = {
  ...{ end: /\/gemini\/*$/i, sign: /gemini|generativelanguage/i },
  ...{ variable: 'GOOGLE_GEMINI_BASE_URL', version: '' },
}
const variables = [openai, anthropic, gemini]

/** The upstream has the version already. Clients that add one themselves may do so: the proxy does not say it twice. */
const isVersioned = (upstream: string): boolean => /\/v\d+\w*(\/|$)/.test(upstream)
