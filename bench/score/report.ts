import type { CodecScore } from '../tasks/score/codec.ts'
import type { PeerScore, Sides } from '../tasks/score/peer.ts'
import { sum, type Tally } from './tally.ts'

export interface Scores {
  /** Nobody's: beside it stands antiphon's on all histories. */
  control: PeerScore
  peers: PeerScore[]
  codecs: CodecScore[]
  versions: Record<string, string>
}

/** The score as Markdown: who heals what, with nothing lost. */
export function report(scores: Scores): string {
  return [
    '# The score',
    'Who heals a broken history with nothing lost. Made by `npm run score`; every seed is fixed.',
    verdict(scores),
    '## All in all',
    totals(scores),
    legend,
    '## Antiphon in each codec',
    codecTotals(scores),
    '## One fault, by its class',
    classes(scores),
    'A dash: the shape cannot say it, or the reader of its wire does not mind it.',
    '## What becomes of the others',
    failures(scores),
    '## Each codec, by class',
    codecClasses(scores),
    '## How it is counted',
    method,
  ].join('\n\n')
}

const legend =
  '`one fault`, `two to four` (faults) and `real histories` show healed/broken: of the histories that were rejected before, how many are accepted afterwards, with no text or call lost and every result next to its call. `kept/harmless`: of the histories that no provider rejects, how many are still complete.'

const method = `- The histories are those of the laws ([test/laws](../test/laws)): conversations in which every text, every call and every result carries a
  word of its own, and the corruptions of [corruptions.ts](../test/laws/corruptions.ts), each alone, and each with one to three others before it.
  The corpus is [test/corpus](../test/corpus): what people reported.
- The judges are the strict providers ([src/strict](../src/strict)), which share no line with the healer: the first one that took the conversation
  and refuses what became of it. For the shapes of frameworks it is a provider behind a plain translation. Antiphon is told who reads; no peer can be told.
- A peer gets the history in its own shape and best configuration ([peers](peers)), and what it makes is judged on the wire that it is sent in: openai-agents on
  Responses, gemini-cli on Gemini, the others on openai-chat. A history that its shape cannot say, or that its reader does not mind, does not count. Antiphon gets the very same histories.
- Not healed is what throws, is still refused, or has lost something: a word, a call, or a result that stands at another call. Not counted as lost, for
  anybody: a result whose call is gone, or of which nobody can tell the call any more ([telling.ts](score/telling.ts)): neither its id nor its place leads there, or to
  several calls alike; of several results of one call all but one; thinking. These rules were drawn while failures of antiphon were read one by one: what could be told was
  repaired in the healer, and only what could not went into them.
- Left out of the count, for everybody: what is no message at all, or has no key (antiphon leaves it as it is and reports it); a system message alone; AI SDK histories
  whose last call was just approved.
- The shapes of frameworks are judged for OpenAI, Anthropic and a Qwen template, those of LangChain and AG-UI for Mistral too.
- Of the corpus are left out what its request or a lost signature is at fault for, and vercel-ai-9968, whose call was just approved; a call that a provider
  ran by itself (litellm-33546), and the placeholders of other systems, are not missed. Peers get the part of the corpus that is in the openai-chat shape.`

function verdict({ control, peers, codecs }: Scores): string {
  const all = sum([
    ...Object.values(control.classes).flatMap(({ alone, company }) => [alone.antiphon, company.antiphon]),
  ])
  const best = peers
    .map(peer => ({ name: peer.name, share: shareOf(totalOf(peer, 'alone')) }))
    .sort((one, other) => other.share - one.share)[0]
  const lines = [`antiphon heals ${all.healed} of ${all.tried} on the wire that it shares with most peers`]
  const own = sum(codecs.flatMap(codec => [...tallies(codec, 'alone'), ...tallies(codec, 'company'), codec.corpus]))
  lines.push(`and ${own.healed} of ${own.tried} over its nine codecs`)
  if (best) lines.push(`of single faults the best peer, ${best.name}, heals ${(100 * best.share).toFixed(0)}%`)
  return `${lines.join('; ')}.`
}

const shareOf = ({ healed, tried }: Tally): number => (tried > 0 ? healed / tried : 0)

const tallies = (codec: CodecScore, company: 'alone' | 'company'): Tally[] =>
  Object.values(codec.classes).map(entry => entry[company])

const totalOf = (score: PeerScore, company: 'alone' | 'company', side: keyof Sides = 'peer'): Tally =>
  sum(Object.values(score.classes).map(entry => entry[company][side]))

function totals({ control, peers, versions }: Scores): string {
  const head = ['', 'function', 'judged on', 'one fault', 'two to four', 'real histories', 'kept/harmless']
  const row = (score: PeerScore, side: keyof Sides, name: string, via: string) => {
    const [alone, company] = [totalOf(score, 'alone', side), totalOf(score, 'company', side)]
    const kept = sum([alone, company])
    return [name, via, score.format, ...[alone, company, score.corpus[side]].map(cell), `${kept.kept}/${kept.harmless}`]
  }
  const named = peers.map(peer =>
    row(peer, 'peer', `${peer.name} ${versionOf(peer.name, versions)}`.trim(), `\`${peer.via}\``),
  )
  return table([head, row(control, 'antiphon', '**antiphon**', '`repair`'), ...named])
}

/** The package of a peer is named like the peer, more or less. */
function versionOf(name: string, versions: Record<string, string>): string {
  const [first = ''] = name.split(' ')
  const found = Object.keys(versions).filter(known =>
    known.split(/[/@-]/).join(' ').includes(first.split('-').join(' ')),
  )
  const exact = found.find(known => known === first) ?? found[0]
  return exact === undefined ? '' : (versions[exact] ?? '')
}

function codecTotals({ codecs }: Scores): string {
  const rows = codecs.map(codec => {
    const [alone, company] = [sum(tallies(codec, 'alone')), sum(tallies(codec, 'company'))]
    const kept = sum([alone, company, codec.corpus])
    return [codec.codec, ...[alone, company, codec.corpus].map(cell), `${kept.kept}/${kept.harmless}`]
  })
  return table([['codec', 'one fault', 'two to four', 'real histories', 'kept/harmless'], ...rows])
}

function classes({ control, peers }: Scores): string {
  const rows = Object.entries(control.classes)
    .map(([name, { alone }]) => [
      name,
      alone.antiphon.refusedBy.join(', '),
      cell(alone.antiphon),
      ...peers.map(peer => cell(peer.classes[name]?.alone.peer)),
    ])
    .filter(([, , ...cells]) => cells.some(text => text !== '-'))
  return table([['class', 'refused by', 'antiphon', ...peers.map(({ name }) => name)], ...rows])
}

function failures({ peers }: Scores): string {
  const rows = peers.map(peer => {
    const { failures } = sum([totalOf(peer, 'alone'), totalOf(peer, 'company'), peer.corpus.peer])
    return [peer.name, ...(['refused', 'lost', 'throws'] as const).map(kind => String(failures[kind]?.count ?? 0))]
  })
  return table([['', 'still refused', 'something lost', 'throws'], ...rows])
}

function codecClasses({ codecs }: Scores): string {
  const names = [...new Set(codecs.flatMap(codec => Object.keys(codec.classes)))]
  const both = (codec: CodecScore, name: string) => {
    const entry = codec.classes[name]
    return entry && cell(sum([entry.alone, entry.company]))
  }
  const rows = names
    .map(name => [name, ...codecs.map(codec => both(codec, name) ?? '-')])
    .filter(([, ...cells]) => cells.some(text => text !== '-'))
  return table([['class, alone and in company', ...codecs.map(({ codec }) => codec)], ...rows])
}

const cell = (tally: Tally | undefined): string => (tally && tally.tried > 0 ? `${tally.healed}/${tally.tried}` : '-')

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}
