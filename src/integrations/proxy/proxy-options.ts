import type { buildConnector } from 'undici'
import type { HealOptions } from '../../heal/options.ts'
import type { ResizeImage } from '../../heal/request/image-resizer.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { FetchReport } from '../fetch/fetch-options.ts'
import type { ProxyError } from './proxy-error.ts'

export interface ProxyOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair'> {
  /**
   * Where requests are forwarded: one URL, or several by name. With names, the first part of the path selects the upstream.
   */
  readonly to: string | Readonly<Record<string, string>>
  /** 8377 by default; 0 picks a free port. */
  readonly port?: number
  /** The address to listen on, by default 127.0.0.1. It must be a loopback address unless `allowRemote` is set. */
  readonly host?: string
  /** Lets `host` be an address that other machines can reach. */
  readonly allowRemote?: boolean
  /** Origins of web pages that may use the proxy, such as `https://app.example.com`; pages of localhost always may. */
  readonly allowOrigins?: readonly string[]
  /** Reports what would be repaired, and changes nothing. */
  readonly dryRun?: boolean
  /** A request with a longer body is answered with 413: 64 MB by default. */
  readonly maxBytes?: number
  /**
   * Makes a smaller image of one that is too large for the provider, before the request is forwarded or after a rejection. Without it such
   * an image becomes a text.
   */
  readonly resize?: ResizeImage
  /** How long an upstream may send nothing, before its answer and during it: 10 minutes by default. */
  readonly timeoutMs?: number
  /** How long it may take to connect to an upstream: 10 seconds by default. */
  readonly connectMs?: number
  /**
   * How long a client may take to send a request: 5 minutes by default. A client that reads nothing of its answer for twice
   * as long is cut off.
   */
  readonly requestMs?: number
  /** How many connections of clients may be open: 2048 by default. Further ones are answered with 503 and closed. */
  readonly maxConnections?: number
  /** How many connections one address may have open (with IPv6, one /64 network): 1024 by default. */
  readonly maxConnectionsPerAddress?: number
  /** Options for connecting to upstreams, as `undici` accepts them, such as certificates. */
  readonly connect?: Partial<buildConnector.BuildOptions>
  /** Records every request with a history, and its response. By default the tape named by ANTIPHON_TAPE, if set. */
  readonly tape?: Tape
  /** Called for every request that was changed, or with `dryRun` would have been. */
  readonly onRepair?: (report: ProxyReport) => void
  /** Called for every request that the proxy itself had to answer, and for every answer that broke off. */
  readonly onProxyError?: (proxyError: ProxyError) => void
  /**
   * Called with the reason when a request is sent unchanged although it might need repair, or when `resize` fails. By default this is a
   * process warning.
   */
  readonly onError?: (error: unknown) => void
}

/** What was done to a request. */
export interface ProxyReport extends FetchReport {
  /** How many repairs of each rule there were. */
  readonly rules: Readonly<Record<string, number>>
  /** How many of them are not in `repairs`, which lists at most 1,000 of a long request: first those that removed content. */
  readonly unlisted?: number
  /** The name of the upstream, if it has one. */
  readonly route?: string
  /** Nothing was changed. */
  readonly dryRun?: true
}
