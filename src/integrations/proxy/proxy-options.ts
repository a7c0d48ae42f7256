import type { buildConnector } from 'undici'
import type { HealOptions } from '../../heal/options.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { FetchReport } from '../fetch/fetch-options.ts'
import type { Trouble } from './trouble.ts'

export interface ProxyOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair'> {
  /** Where requests go: one URL, or several by name. With names, the first part of a path says which. */
  readonly to: string | Readonly<Record<string, string>>
  /** 8377 by default; 0 is any free port. */
  readonly port?: number
  /** An address of this machine that others do not reach, by default 127.0.0.1. */
  readonly host?: string
  /** Lets `host` be an address that others reach. */
  readonly allowRemote?: boolean
  /** Origins of web pages that may use the proxy, as `https://app.example.com`; pages of localhost always may. */
  readonly allowOrigins?: readonly string[]
  /** Reports what would be healed, and changes nothing. */
  readonly dryRun?: boolean
  /** A longer history is refused with 413: 64 MB by default. */
  readonly maxBytes?: number
  /** How long an upstream may be silent, before its answer and within it: 10 minutes by default. */
  readonly timeoutMs?: number
  /** How long it may take to connect to an upstream: 10 seconds by default. */
  readonly connectMs?: number
  /** How long a client may take to send a request: 5 minutes by default. One that reads nothing of its answer for twice as long is cut off. */
  readonly requestMs?: number
  /** How many connections of clients may be open: 2048 by default. One more is answered 503 and closed. */
  readonly maxConnections?: number
  /** How many of them one address may have (with IPv6, one network of 64 bits): 1024 by default. */
  readonly maxConnectionsPerAddress?: number
  /** How to connect to upstreams, as `undici` takes it: certificates and the like. */
  readonly connect?: Partial<buildConnector.BuildOptions>
  /** Records every request with a history in it, and what came of it. By default the tape that ANTIPHON_TAPE names, if it does. */
  readonly tape?: Tape
  /** Hears of every request that was changed, or that would have been. */
  readonly onRepair?: (report: ProxyReport) => void
  /** Hears of every request that the proxy itself had to answer, and of every answer that broke off. */
  readonly onTrouble?: (trouble: Trouble) => void
  /** Hears why a request went out as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/** What was done to a request. */
export interface ProxyReport extends FetchReport {
  /** The name of the upstream, if it has one. */
  readonly route?: string
  /** Nothing was changed. */
  readonly dryRun?: true
}
