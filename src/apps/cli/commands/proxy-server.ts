import { closeSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'
import { createFailureReason, fileError } from '../../../doctor/files/file-error.ts'
import { type ProxyError, type ProxyOptions, type ProxyReport, startProxy } from '../../../integrations/proxy/index.ts'
import { openForOwner, openTape } from '../../../observe/tape/file.ts'
import { painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { baseUrls } from './proxy-greeting.ts'
import { loggedError, reportJson, reportLine } from './proxy-log.ts'

export interface ProxyFlags
  extends Pick<ProxyOptions, 'for' | 'model' | 'allow' | 'pendingCalls' | 'orphans' | 'repeats'> {
  readonly to: string | Record<string, string>
  readonly port: number
  readonly host: string
  readonly allowRemote?: true
  readonly allowOrigin?: readonly string[]
  readonly dryRun?: true
  readonly record?: string
  readonly redact: boolean
  readonly bodyLimit: number
  readonly timeout: number
  readonly connectTimeout: number
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly grace: number
  readonly quiet?: true
  readonly json?: true
}

/** Serves until SIGINT or SIGTERM. A second signal ends it at once. */
export async function serveProxy(flags: ProxyFlags): Promise<void> {
  const { record, redact, bodyLimit, timeout, connectTimeout, grace, quiet, json, allowOrigin = [], ...options } = flags
  const log = json ? jsonLog : textLog(quiet === true)
  const proxy = await startProxy({
    ...options,
    allowOrigins: allowOrigin,
    ...(record === undefined ? {} : { tape: openRecord(record, redact) }),
    maxBytes: Math.floor(bodyLimit * 1024 * 1024),
    timeoutMs: timeout * 1000,
    connectMs: connectTimeout * 1000,
    onRepair: log.repair,
    onProxyError: log.proxyError,
    onError: log.error,
  })
  // Set before the URL is printed: a program that waits for the URL may send the signal right after it.
  const stopped = new Promise<void>(resolve => {
    let times = 0
    const hear = (): void => {
      times++
      proxy.close({ graceMs: times === 1 ? grace * 1000 : 0 }).then(resolve, resolve)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, hear)
  })
  log.start(proxy.url, flags)
  await stopped
  // An open tape or terminal must not keep the process alive.
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
}

function openRecord(file: string, redact: boolean) {
  try {
    closeSync(openForOwner(file))
  } catch (error) {
    throw error instanceof AntiphonError ? error : fileError(file, createFailureReason(error))
  }
  return openTape(file, { redact })
}

interface Log {
  start(url: string, flags: ProxyFlags): void
  repair(report: ProxyReport): void
  proxyError(proxyError: ProxyError): void
  error(error: unknown): void
}

const textLog = (isQuiet: boolean): Log => ({
  start(url, { to, dryRun }) {
    const what = dryRun ? 'reporting what it would repair' : 'repairing'
    const where = typeof to === 'string' ? ` to ${to}` : ''
    const lines = [`Listening on ${url}, ${what} and forwarding${where}. Press Ctrl+C to stop.`, '']
    process.stdout.write(`${[...lines, ...baseUrls(url, to).map(line => `  ${plain(line)}`), ''].join('\n')}\n`)
  },
  repair(report) {
    const paint = painter(process.stderr)
    if (!isQuiet) process.stderr.write(`${paint(report.dryRun ? 'warning' : 'fix', plain(reportLine(report)))}\n`)
  },
  proxyError({ status, kind, message }) {
    const paint = painter(process.stderr)
    if (!isQuiet) process.stderr.write(`${paint('error', String(status))} ${plain(`${kind}: ${message}`)}\n`)
  },
  error(error) {
    process.stderr.write(`${painter(process.stderr)('warning', plain(`not healed: ${loggedError(error)}`))}\n`)
  },
})

const jsonLog: Log = {
  start: (url, { to }) => print({ event: 'start', url, to }),
  repair: report => print({ event: 'repair', ...reportJson(report) }),
  proxyError: ({ route, status, kind, message }) => print({ event: 'error', route, status, kind, message }),
  error: error => print({ event: 'not-healed', message: loggedError(error) }),
}

const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
}
