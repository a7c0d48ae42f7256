import { lstatSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { Program, RecordedOwner } from '../../system.ts'

/**
 * OpenHands writes every event to its own file and closes it. The agent server has a lease on a conversation; the
 * command line keeps all conversations of its user in one folder; programs built on the SDK keep theirs in their
 * working directory.
 */
export const openhandsProgram: Program = {
  processes: [
    {
      names: ['openhands', 'openhands-cli', 'openhands-acp', 'openhands-agent-server', 'agent-server', 'openhands_cli'],
      worksIn: isOfUser,
    },
    { names: ['python', 'python3'], isRuntime: true, worksIn },
  ],
  owners,
}

/** The command line keeps the conversations of its user in one folder, in any working directory. */
function isOfUser(path: string): (folder: string) => boolean {
  const isShared = /[/\\]\.openhands[/\\]/.test(path)
  const isHome = worksIn(path)
  return folder => isShared || isHome(folder)
}

/** `workspace/conversations/<id>` in the working directory. */
function worksIn(path: string): (folder: string) => boolean {
  let folder = path
  while (basename(folder) !== 'conversations' && dirname(folder) !== folder) folder = dirname(folder)
  const home = basename(dirname(folder)) === 'workspace' ? realOf(dirname(dirname(folder))) : undefined
  return other => other === home
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/**
 * The holder of the lease. A process of this machine holds it as long as it runs; for another machine only the end time
 * of the lease is known, after which that server no longer writes.
 */
function owners(path: string, now: number): RecordedOwner[] {
  const lease = leaseIn(join(path, 'owner_lease.json'))
  if (!isRecord(lease)) return []
  const { owner_host: host, owner_pid: pid, expires_at: end } = lease
  const isCurrent = typeof end === 'number' && end * 1000 > now
  if (typeof pid === 'number' && host === hostname()) return [{ pid, isThis: true, ...(isCurrent && { isCurrent }) }]
  if (!isCurrent) return []
  return [
    { isThis: true, why: `an agent server on ${typeof host === 'string' ? host : 'another machine'} holds its lease` },
  ]
}

function leaseIn(file: string): unknown {
  try {
    return lstatSync(file).isFile() ? JSON.parse(readRegularFile(file).toString()) : undefined
  } catch {
    return undefined
  }
}
