/** The variables to set for the programs that go through the proxy: those of the providers that it sends to. */
export function baseUrls(url: string, to: string | Readonly<Record<string, string>>): string[] {
  const entries = typeof to === 'string' ? [['', to]] : Object.entries(to)
  return entries.flatMap(([name, upstream]) => {
    const base = name === '' ? url : `${url}/${name}`
    const subject = `${name} ${upstream}`
    const known = variables.filter(({ sign }) => sign.test(subject))
    return (known.length > 0 ? known : [openai, anthropic]).map(
      ({ variable, version }) => `${variable}=${base}${isVersioned(upstream) ? '' : version}`,
    )
  })
}

const openai = { sign: /openai/i, variable: 'OPENAI_BASE_URL', version: '/v1' }
const anthropic = { sign: /anthropic/i, variable: 'ANTHROPIC_BASE_URL', version: '' }
const gemini = { sign: /gemini|generativelanguage/i, variable: 'GOOGLE_GEMINI_BASE_URL', version: '' }
const variables = [openai, anthropic, gemini]

/** The version stands in the upstream already, and is not to be said twice. */
const isVersioned = (upstream: string): boolean => /\/v\d+\w*\/*$/.test(upstream)
