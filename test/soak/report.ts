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

| none of these | looked at | found |
|---|---|---|
${checks.map(({ what, of, problems }) => `| ${what} | ${of} | ${problems.length} |`).join('\n')}
${list('Problems', problems)}
## What happened

| | |
|---|---|
${happened(counters)}

## Memory and handles

Each process after a forced collection, ${samples} samples: the median of the second fifth of the time, and that of the last. The bound is the
first, so many times, and so much more: ${boundsTold}. The worker is the one that is never killed.

| process | ${figures.map(figure => titles[figure]).join(' | ')} |
|---|${figures.map(() => '---').join('|')}|
${[...new Set(growth.map(({ part }) => part))].map(part => `| ${part} | ${cells(growth, part).join(' | ')} |`).join('\n')}
`
}

const about = `Everything at once on one machine: two journals in one PostgreSQL, read for OpenAI and for Anthropic, with three worker processes; AG-UI
clients of a server that works on the same journals; users who speak through the journal itself; the proxy in front of the strict providers,
which fail on purpose; and a program without a journal that sends healthy and broken histories through the same proxy. Two of the workers
are killed with SIGKILL again and again, PostgreSQL is restarted and crashed. At the end everything is brought to rest, and every thread is
judged against what its users were told and what its tools did. All choices are made by the seed; what comes of them also depends on time.`

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
    ['of them, in turns that were', listed(counters.under('input '))],
    ['turns', listed(counters.under('turn '))],
    ['turns that failed, by reason', listed(counters.under('failure '))],
    ['turns taken over from another owner, or taken up again', counters.of('entry turn-resume')],
    ['responses of models', listed(counters.under('response '))],
    ['calls', counters.of('calls')],
    ['their outcomes', listed(counters.under('outcome '))],
    ['results that came behind a placeholder', counters.of('entry call-late')],
    ['effects of tools, in a file of their own', counters.of('effects')],
    ['effects that were repeated (`replay: safe` alone may)', listed(counters.under('effects again '))],
    ['receipts', counters.of('receipts')],
    ['inputs submitted twice at once', counters.of('double submits')],
    ['submits refused', listed(counters.under('submit refused '))],
    [
      'interrupts from outside',
      `${counters.of('interrupts')}, and ${counters.of('interrupts of nothing')} that found nothing to stop`,
    ],
    ['decisions', listed(counters.under('verdict '))],
    ['contrary second decisions', counters.of('contrary decisions')],
    ['decisions and results that came late', counters.of('late answers')],
    ['results from outside', listed(counters.under('settled from outside '))],
    ['runs of AG-UI clients', listed(counters.under('runs '))],
    ['runs that two clients began at once with the same words', counters.of('twins of runs')],
    ['their answers to interrupts', listed(counters.under('answers '))],
    ['results of client tools', counters.of('results brought by clients')],
    ['requests to the strict providers', counters.of('provider requests')],
    ['failures injected there', listed(counters.under('provider injected '))],
    ['histories sent without a journal', listed(counters.under('sent '))],
    ['requests healed by the proxy', listed(counters.under('proxy healed '))],
    ['rules that they broke', listed(counters.under('proxy rule '))],
    ['trouble that the proxy told', listed(counters.under('proxy trouble '))],
    ['errors that workers told (those that lived)', listed(counters.under('worker error '))],
    ['errors that the AG-UI server told', listed(counters.under('agents error '))],
  ]
    .map(([what, value]) => `| ${what} | ${value} |`)
    .join('\n')

const listed = (counts: readonly [string, number][]): string =>
  counts.map(([what, times]) => `${times} ${what}`).join(', ') || 'none'

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `\n## ${title}\n\n${lines.map(line => `- ${line.replaceAll('\n', ' ').slice(0, 600)}`).join('\n')}\n`
