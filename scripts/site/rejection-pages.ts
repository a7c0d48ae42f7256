import { rejectionSources } from '../../src/apps/cli/explain/rejection-sources.ts'
import type { Dialect } from '../../src/core/dialect.ts'
import { dialects } from '../../src/core/dialects/index.ts'
import { rejectionKinds } from '../../src/heal/rejections/kinds.ts'
import type { RejectionEntry, RejectionKind } from '../../src/heal/rejections/rejection.ts'
import { rejectionTable } from '../../src/heal/rejections/table/index.ts'
import { textsOf } from './error-words.ts'

/** One page for each known rejection, titled with the provider's words, and one that lists them all. By their paths in the site. */
export async function rejectionPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const entry of rejectionTable) pages.set(`rejections/${entry.id}.md`, await rejectionPage(entry))
  return pages.set('400.md', startPage())
}

async function rejectionPage(entry: RejectionEntry): Promise<string> {
  const { id, kind, provider, status } = entry
  const sources = await rejectionSources(entry)
  const { why, repair } = rejectionKinds[kind]
  const [title, ...others] = textsOf(entry.words)
  const seen = status === undefined ? '' : `, with HTTP ${status}`
  return page(
    `# ${asText(title)}`,
    `An error of ${asText(provider)}${seen}. N, … and words in braces stand for what differs from one error to the next.`,
    ...(others.length > 0 ? ['Also worded as:', others.map(text => `- ${asText(text)}`).join('\n')] : []),
    '## Why',
    why,
    '## Repair',
    repair,
    ...(kind === 'not-healable' ? [] : [helps]),
    '## More',
    [
      ...rulesOf(entry).map(
        rule => `- The rule that finds it before a request is sent: [${rule}](../rules/${rule}.md)`,
      ),
      `- Known as \`${id}\`, of the kind \`${kind}\`: [all kinds](../rejections.md#kinds), [all known errors](../400.md#${kind})`,
      ...(sources.length > 0 ? [`- Seen in ${sources.map(sourceLink).join(', ')}`] : []),
    ].join('\n'),
  )
}

const helps = `\`\`\`sh
antiphon explain - < error.json                              # explains the error
antiphon heal body.json --because error.json > healed.json   # repairs the request
\`\`\`

[\`healFetch\`](../fetch.md), [the proxy](../proxy.md) and the adapters repair the request when the error arrives, and retry once.
To see a history with its defects, open it in the <a href="../playground.html" target="_self">playground</a>.`

/** The rules whose diagnostics a provider rejects with this text. */
function rulesOf({ words }: RejectionEntry): string[] {
  const refusals = Object.values<Dialect>(dialects).flatMap(dialect => Object.entries(dialect.refusals))
  const rules = refusals.flatMap(([rule, text]) =>
    text !== undefined && words.test(text.replaceAll(/["'`\\]/g, '')) ? [rule] : [],
  )
  return [...new Set(rules)].sort()
}

/** A URL, an issue (`owner/repository#number`), or a name that is shown as text. */
function sourceLink(source: string): string {
  if (source.startsWith('https://')) return `[${asText(source.slice('https://'.length))}](${source})`
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source)
  return issue ? `[${asText(source)}](https://github.com/${issue[1]}/issues/${issue[2]})` : asText(source)
}

function startPage(): string {
  const section = (kind: RejectionKind): string[] => [
    `## ${kind}`,
    rejectionKinds[kind].why,
    rejectionTable
      .filter(entry => entry.kind === kind)
      .map(({ id, words }) => `- [${asText(textsOf(words)[0])}](rejections/${id}.md)`)
      .join('\n'),
  ]
  return page(
    '# I have a 400',
    `Search this site for the text of the error (\`/\` or \`Ctrl K\`): every known one has a page with its words as the title.
${rejectionTable.length} are known.`,
    [
      '- You have the request: paste it into the <a href="./playground.html" target="_self">playground</a>. It stays in your browser.',
      '- It happens in a running program: [heal at `fetch`](fetch.md), or put [the proxy](proxy.md) between it and the provider.',
      '- It is a session of Codex, Claude Code, opencode or another program: [the doctor](doctor.md).',
      '- The reason is not clear: [from a 400 to a bug report](debug-a-400.md).',
      '- The defects themselves, with examples: [rules](rules/index.md).',
    ].join('\n'),
    ...(Object.keys(rejectionKinds) as RejectionKind[]).flatMap(section),
  )
}

/** Text in which nothing is Markdown, HTML or a template. */
export const asText = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>&#|~$]/g, character => `&#${character.charCodeAt(0)};`)

const page = (...blocks: string[]): string => `${blocks.join('\n\n')}\n`
