import type { Counters } from './counters.ts'
import type { Findings } from './findings.ts'
import { boundsTold, figures, type Growth } from './growth.ts'

/** What the soak has found, as a page. */
export function pageOf({ seed, minutes, counters, growth, samples, checks, isSound }: Findings): string {
  const problems = checks.flatMap(check => check.problems.slice(0, 10))
  return `# Soak

\`npm run soak\` writes this page. ${minutes} minutes, seed ${seed}, Node ${process.versions.node}: **${isSound ? 'everything held' : 'NOT everything held'}**.

${about}

## What held

| must not occur | checked | found |
|---|---|---|
${checks.map(({ what, of, problems }) => `| ${what} | ${of} | ${problems.length} |`).join('\n')}
${list('Problems', problems)}
## What happened

| | |
|---|---|
${happened(counters)}

## Memory and handles

Each process after a forced garbage collection, ${samples} samples: the median of the second fifth of the run → the median of the last fifth. The limit is the
first value multiplied by a factor, plus a margin: ${boundsTold}. The worker is the one that is never killed.

| process | ${figures.map(figure => titles[figure]).join(' | ')} |
|---|${figures.map(() => '---').join('|')}|
${[...new Set(growth.map(({ part }) => part))].map(part => `| ${part} | ${cells(growth, part).join(' | ')} |`).join('\n')}
`
}

const about = `Everything runs at once on one machine: two journals in one PostgreSQL database, one for OpenAI and a sealed one for Anthropic, with three worker processes; an AG-UI
server on the same journals, and its clients; users who call the journal directly, go back, fork and erase threads, and others who watch the
answers as they stream; an operator who lists threads and has idle ones expire; agents that call agents; the proxy, which forwards to the strict providers, which fail
on purpose; and a program without a journal that sends healthy and broken histories through the same proxy. Two of the workers are repeatedly
killed with SIGKILL; PostgreSQL is restarted and crashed. At the end all turns are finished, and every thread is compared with what its users
were told and with what its tools did. The seed decides all choices; their effects also depend on timing.`

const titles = {
  rssBytes: 'resident',
  heapBytes: 'heap',
  bufferBytes: 'buffers',
  sockets: 'sockets',
  timers: 'timers',
  files: 'open files',
}

const cells = (growth: readonly Growth[], part: string): string[] =>
  figures.map(figure => {
    const { before = 0, after = 0, bound = 0 } = growth.find(one => one.part === part && one.figure === figure) ?? {}
    const told = (value: number): string =>
      figure.endsWith('Bytes') ? `${(value / 1024 / 1024).toFixed(1)} MiB` : String(value)
    return `${told(before)} → ${told(after)}${after > bound ? ' **!**' : ''}`
  })

const happened = (counters: Counters): string =>
  [
    ['workers killed with SIGKILL', counters.of('workers killed')],
    ['PostgreSQL shut down and started', counters.of('PostgreSQL restarted')],
    ['PostgreSQL crashed and started', counters.of('PostgreSQL crashed')],
    ['threads', counters.of('threads')],
    ['entries', counters.of('entries')],
    ['inputs', counters.of('entry input-submit')],
    ['inputs by the status of their turn', listed(counters.under('input '))],
    ['turns', listed(counters.under('turn '))],
    ['turns that failed, by reason', listed(counters.under('failure '))],
    ['turns resumed, by another owner or the same one', counters.of('entry turn-resume')],
    ['responses of models', listed(counters.under('response '))],
    ['responses that were continued by another model', counters.of('answers continued')],
    ['responses of the provider that is asked second', counters.of('answers of the other provider')],
    [
      'attempts that failed and were followed by another one, in a worker that was not killed',
      counters.of('worker model-failed'),
    ],
    ['calls', counters.of('calls')],
    ['outcomes of calls', listed(counters.under('outcome '))],
    ['results that arrived after a placeholder', counters.of('entry call-late')],
    ['effects of tools, recorded in a separate file', counters.of('effects')],
    ['effects that happened again (allowed with `replay: safe` only)', listed(counters.under('effects again '))],
    ['services asked after a crash whether a tool had its effect', listed(counters.under('probed '))],
    ['receipts', counters.of('receipts')],
    ['inputs submitted twice at once', counters.of('double submits')],
    ['submits refused', listed(counters.under('submit refused '))],
    ['edits, other answers, summaries, forks and switches of branches', listed(counters.under('went back '))],
    ['agents', counters.of('agent threads')],
    ['decisions about calls of agents', counters.of('decisions for agents')],
    [
      'threads erased',
      `${counters.of('erased at once')} by users, ${counters.of('erased by a worker')} that a worker had to finish, ${counters.of('tombstones')} with their agents`,
    ],
    [
      'threads expired',
      `${counters.of('expired')} that were not to be kept, ${counters.of('expired in use')} of them while a user was away`,
    ],
    ['titles, labels and data of threads, each changed by two processes', counters.of('described')],
    ['pages of lists of threads', counters.sum('pages ')],
    [
      'answers as somebody saw them who watched',
      `${counters.of('shown deltas')} pieces, ${counters.of('shown completed')} shown and recorded, ${counters.of('shown retracted')} retracted`,
    ],
    [
      'interrupts by users',
      `${counters.of('interrupts')}, and ${counters.of('interrupts of nothing')} that found nothing to stop`,
    ],
    ['decisions', listed(counters.under('verdict '))],
    ['second decisions that contradict the first', counters.of('contrary decisions')],
    ['decisions and results that arrived late', counters.of('late answers')],
    ['results submitted by users', listed(counters.under('settled from outside '))],
    ['runs of AG-UI clients', listed(counters.under('runs '))],
    ['runs that two clients started at once with the same text', counters.of('twins of runs')],
    ['answers of clients to interrupts', listed(counters.under('answers '))],
    ['results of client tools', counters.of('results brought by clients')],
    ['requests to the strict providers', counters.of('provider requests')],
    ['failures injected by them', listed(counters.under('provider injected '))],
    ['histories sent without a journal', listed(counters.under('sent '))],
    ['requests healed by the proxy', listed(counters.under('proxy healed '))],
    ['rules that they violated', listed(counters.under('proxy rule '))],
    ['errors reported by the proxy', listed(counters.under('proxy trouble '))],
    ['errors reported by workers that were not killed', listed(counters.under('worker error '))],
    ['errors reported by the AG-UI server', listed(counters.under('agents error '))],
  ]
    .map(([what, value]) => `| ${what} | ${value} |`)
    .join('\n')

const listed = (counts: readonly [string, number][]): string =>
  counts.map(([what, times]) => `${times} ${what}`).join(', ') || 'none'

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `\n## ${title}\n\n${lines.map(line => `- ${line.replaceAll('\n', ' ').slice(0, 600)}`).join('\n')}\n`
