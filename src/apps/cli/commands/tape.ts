import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { present } from '../../../core/invariant.ts'
import { readTapeSource, type TapeSource } from '../../../doctor/files/tape-source.ts'
import { formatDuration } from '../../../observe/tape/format-duration.ts'
import type { CallSeen } from '../../../observe/tape/timeline.ts'
import { plural } from '../counts.ts'
import { exitWith } from '../exit.ts'
import { oneOf } from '../flags.ts'
import { painter } from '../paint.ts'
import { plain, shorten } from '../plain.ts'
import { wrap } from '../wrap.ts'
import { providerNames } from './strict.ts'
import { drawTape, label } from './tape-drawing.ts'

export function addTape(program: Command): void {
  const tape = program
    .command('tape')
    .summary('show or replay a recorded tape')
    .description(
      'Show or replay a tape: the requests, responses and calls that a program recorded with ANTIPHON_TAPE=file.',
    )
  addTapeShow(tape)
  addTapeReplay(tape)
}

function addTapeShow(tape: Command): void {
  tape
    .command('show')
    .summary('print the time line, and mark what broke the history')
    .description(
      'Print the time line from top to bottom, with calls as bars, and mark where the history became malformed.',
    )
    .argument('<file>', 'a tape; - reads standard input')
    .addOption(new Option('--all', 'print the whole time line, not only the part around the first failure'))
    .addOption(new Option('--json', 'print one JSON object'))
    .addHelpText(
      'after',
      `
Marks: ● a request, ✓ accepted, ✗ rejected or failed, ~ repaired, ▸ input, ■ an interrupt.
Bars:  ╷ a call is made, ┏ it is started, ┃ it runs, ┊ it waits, ┗ it ended, or its result was sent.

Examples:
  ANTIPHON_TAPE=chat.tape node agent.js        record a tape, with the content hidden
  antiphon tape show chat.tape
  antiphon tape show --json chat.tape | jq .firstFailure

Exit codes: 0 all requests are well-formed and were accepted; 1 at least one was not; 2 unreadable.`,
    )
    .action(showTape)
}

function addTapeReplay(tape: Command): void {
  tape
    .command('replay')
    .summary('send the recorded requests to a strict provider')
    .description(
      'Send the recorded requests, one by one, to a strict provider on this machine and print the responses. Works with redacted tapes.',
    )
    .argument('<file>', 'a tape; - reads standard input')
    .addOption(
      new Option('--provider <name>', 'provider to use (default: the provider of the request)').argParser(
        oneOf('provider', providerNames),
      ),
    )
    .addOption(new Option('--request <number>', 'only this request').argParser(requestNumber))
    .addHelpText(
      'after',
      `
${['Providers:', ...wrap(providerNames.join(', '), 2)].join('\n')}

Examples:
  antiphon tape replay chat.tape
  antiphon tape replay --request 7 chat.tape
  antiphon tape replay --provider vllm chat.tape

Exit codes: 0 all were accepted; 1 one was rejected; 2 unreadable.`,
    )
    .action(async (file: string, flags: { readonly provider?: string; readonly request?: number }) => {
      // The simulators are many files, and no other command needs them.
      const { replayTape } = await import('./tape-replay.ts')
      await replayTape(await readTapeSource(file), flags)
    })
}

function requestNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number >= 1) return number
  throw new AntiphonError('unknown-request', `unknown request "${text}"`, {
    hint: 'use a number; the first request is 1',
  })
}

async function showTape(file: string, { all, json }: { readonly all?: true; readonly json?: true }): Promise<void> {
  const source = await readTapeSource(file)
  const { inspection } = source
  if (inspection.firstFailure) exitWith('errors')
  const lines = json ? [JSON.stringify(facts(source))] : renderTape(source, all === true)
  process.stdout.write(`${lines.join('\n')}\n`)
}

function facts({ name, heads, faults, cut, inspection: { requests, calls, firstFailure } }: TapeSource): object {
  const verdicts = new Map(requests.map(({ number, verdict }) => [number, verdict]))
  return {
    file: name === '<stdin>' ? '-' : name,
    redacted: heads.every(({ redacted }) => redacted),
    requests: requests.map(({ number, request, content, repairs, verdict, status, refusal, answeredAt }) => ({
      ...{ number, at: request.at, answeredAt, url: request.url, thread: request.thread },
      ...{ format: content?.format, for: content?.dialect, messages: content?.messages },
      ...{ verdict, status, refusal, errors: content?.errors ?? [], repairs },
    })),
    calls: calls.map(({ sent, ...call }) => ({
      ...call,
      sent: sent.map(one => ({ ...one, verdict: verdicts.get(one.request) })),
    })),
    firstFailure: firstFailure ?? null,
    faults,
    cut,
  }
}

function renderTape(source: TapeSource, all: boolean): string[] {
  const { name, heads, entries, faults, cut, inspection } = source
  const paint = painter(process.stdout)
  const columns = Math.min(process.stdout.columns ?? columnsMax, columnsMax)
  const { requests, calls, firstFailure } = inspection
  const start = entries[0]?.at ?? 0
  const counted = [plural(requests.length, 'request'), plural(calls.length, 'call')]
  const kept = heads.every(({ redacted }) => redacted) ? 'redacted' : 'not redacted'
  const shown = all ? calls : calls.slice(0, callsMax)
  return [
    paint('strong', shorten(`${name}: ${[...counted, kept].join(', ')}`, columns)),
    '',
    ...drawTape(entries, inspection, paint, columns, all ? Number.POSITIVE_INFINITY : rowsMax),
    ...(shown.length === 0 ? [] : ['', paint('strong', 'calls')]),
    ...shown.flatMap(call => hang(`${label(call.id, call.name)}: ${describeCall(call, start, source)}`, columns)),
    ...(calls.length > shown.length ? [`  ... and ${calls.length - shown.length} more; --all prints them`] : []),
    ...faults
      .slice(0, faultsMax)
      .map(({ line, reason }) => paint('warning', shorten(`line ${line}: ${reason}`, columns))),
    ...(faults.length > faultsMax ? [`... and ${faults.length - faultsMax} more lines like that`] : []),
    ...(cut ? ['the last line is cut off'] : []),
    '',
    ...(firstFailure
      ? [
          ...wrap(plain(firstFailure.headline), 0, columns).map(line => paint('error', line)),
          ...firstFailure.story.flatMap(line => wrap(plain(line.trimStart()), line.startsWith(' ') ? 4 : 2, columns)),
        ]
      : ['no request on it is malformed, and none was rejected']),
  ].map(line => cutTo(line, columns))
}

const columnsMax = 100
const rowsMax = 200
const callsMax = 50
const faultsMax = 20

/** A call in one line. */
function describeCall(
  { recorded, starts, ends, sent }: CallSeen,
  start: number,
  { inspection: { requests } }: TapeSource,
): string {
  const phrases = [
    recorded ? `recorded +${formatDuration(recorded.at - start)}` : 'not recorded',
    ...starts.slice(0, 3).map(at => `started +${formatDuration(at - start)}`),
    ...ends.slice(0, 3).map(({ at, status }) => `ended +${formatDuration(at - start)} (${status})`),
    ...(sent.length > sentMax ? [`sent in ${sent.length - sentMax} requests before`] : []),
    ...sent.slice(-sentMax).map(({ request, answered }) => {
      const { verdict } = present(requests[request - 1], 'a call is sent in a request of its tape')
      return `sent ${answered ? '' : 'without result '}in request ${request} (${verdict})`
    }),
  ]
  return phrases.join(', ')
}

const sentMax = 4

const hang = (text: string, columns: number): string[] =>
  wrap(plain(text), 2, columns).map((line, index) => (index === 0 ? line : `  ${line}`))

/** A word that is longer than a line. Coloured words are never that long. */
const cutTo = (line: string, columns: number): string => (line.includes('\u001b') ? line : shorten(line, columns))
