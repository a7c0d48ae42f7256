import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { AntiphonError } from '../../../../core/errors.ts'
import { type ConversationResult, type DoctorOptions, examineStores } from '../../../../doctor/doctor.ts'
import { fileError } from '../../../../doctor/files/file-error.ts'
import { isUrl } from '../../../../doctor/peek.ts'
import type { Drawing, StoreUser } from '../../../../doctor/system.ts'
import { systems } from '../../../../doctor/systems.ts'
import { plain } from '../../plain.ts'

export const thisUser = (): StoreUser => ({
  home: homedir(),
  folder: process.cwd(),
  environment: process.env,
  platform: process.platform,
})

/** Everything that a session says. Throws if its store cannot be read that far. */
export function drawingOf({ path, id, examination }: ConversationResult): Drawing {
  if (!examination.draw)
    throw fileError(path, `session ${plain(id)} cannot be read`, 'antiphon doctor says what is wrong')
  return examination.draw()
}

/** What a session says can be read only while its store is open. */
export interface FoundSession {
  readonly one: ConversationResult
  readonly drawing: Drawing
}

/**
 * The one session at a path. A name that is not a path is the id of a session at one of the places where programs keep
 * theirs. Throws if there is no session or more than one.
 */
export async function findSession(
  named: string,
  { system, session }: { readonly system?: string; readonly session?: string },
): Promise<FoundSession> {
  const { places, options, isId } = whereToLook(named, { system, session })
  let first: FoundSession | undefined
  let unreadable: Error | undefined
  const found: string[] = []
  for await (const one of examineStores(places, options)) {
    if (one.kind === 'unreadable') unreadable ??= one.error
    if (one.kind !== 'conversation') continue
    first ??= { one, drawing: drawingOf(one) }
    found.push(sessionLine(one))
  }
  if (first && found.length === 1) return first
  if (found.length > 1) throw severalSessions(named, found, 'name its file, or one of them with --session')
  if (isId) throw noSuchSession(named)
  throw unreadable ?? nothingFound(named, session)
}

/** Where a session is looked for: at a path, or by its id wherever programs keep theirs. */
export function whereToLook(
  named: string,
  { system, session }: { readonly system: string | undefined; readonly session: string | undefined },
): { places: readonly string[]; options: DoctorOptions; isId: boolean } {
  const chosen = systems.filter(({ id }) => system === undefined || id === system)
  const isId = !isUrl(named) && !/[/\\]/.test(named) && session === undefined && !existsSync(named)
  const places = isId ? chosen.flatMap(one => one.places(thisUser())).filter(place => existsSync(place)) : [named]
  const id = isId ? named : session
  return { places, options: { systems: chosen, ...(id === undefined ? {} : { session: id }) }, isId }
}

export const noSuchSession = (named: string): AntiphonError =>
  fileError(named, 'there is no such file, and no session with this id', 'name the file of the session')

export const sessionLine = ({ id, title }: ConversationResult): string =>
  `  ${plain(id)}${title ? `  ${plain(title)}` : ''}`

/** Lists them, and returns the error. */
export function severalSessions(path: string, found: readonly string[], hint: string): AntiphonError {
  const more = found.length > listedMax ? [`  and ${found.length - listedMax} more`] : []
  process.stderr.write(`${[...found.slice(0, listedMax), ...more].join('\n')}\n`)
  return new AntiphonError('wrong-option', `${plain(path)} has ${found.length} sessions`, { hint })
}

const listedMax = 40

export const nothingFound = (path: string, session?: string): AntiphonError =>
  session === undefined
    ? fileError(path, 'no session of a known program was found', 'antiphon doctor --help lists the programs')
    : fileError(
        path,
        `no session with the id ${plain(session)} was found`,
        'antiphon doctor PATH lists the sessions there',
      )
