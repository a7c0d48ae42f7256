import { randomUUID } from 'node:crypto'
import type { DialectId } from '../../core/dialects/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { ConversationResult } from '../doctor.ts'
import type { Drawing, StoreUser } from '../system.ts'
import { type GatheredSession, gatherSession } from './gather.ts'
import { type MovedMessage, textOf } from './moved-session.ts'
import type { MovePlan, MoveTarget } from './target.ts'
import { wholeText } from './well-formed.ts'
import { workingDirectory } from './working-directory.ts'

export interface MoveOptions {
  readonly target: MoveTarget
  readonly user: StoreUser
  /** The folder of the other program's data, if not its own. */
  readonly root?: string
  readonly dialect?: DialectId
  readonly cwd?: string
  readonly now: number
}

/** A session that is ready to be written. */
export interface PreparedMove extends GatheredSession {
  readonly plan: MovePlan
  readonly title: string
  readonly cwd: string
  /** Whether the store says where the session works. */
  readonly isFolderKnown: boolean
  /** The environment without which the other program would not find it. */
  readonly environment: Readonly<Record<string, string>>
}

/** Reads a session and decides what to write; the plan writes it. */
export async function prepareMove(
  one: ConversationResult,
  drawing: Drawing,
  { target, user, root, dialect, cwd: named, now }: MoveOptions,
): Promise<PreparedMove> {
  const { path, id, system, title } = one
  if (system.id === target.id)
    throw new AntiphonError('wrong-option', `${path} is already a session of ${target.title}`, {
      hint: 'antiphon doctor --fix repairs it in place',
    })
  const recorded = await workingDirectory({ system: system.id, path, id }, drawing)
  const cwd = named ?? recorded ?? user.folder
  const gathered = gatherSession(drawing, {
    from: system.id,
    to: target.id,
    dialect: dialect ?? target.dialect,
    cwd,
    now,
  })
  const [first] = gathered.messages
  if (!first) throw new AntiphonError('wrong-option', `${path}: the session is empty`, { hint: 'name another one' })
  const own = target.root(user)
  const place = root ?? own
  const moved = {
    id: randomUUID(),
    title: titleOf(title, gathered.messages),
    cwd,
    created: first.time,
    messages: gathered.messages,
  }
  return {
    ...gathered,
    plan: target.plan(moved, place),
    title: moved.title,
    cwd,
    isFolderKnown: named !== undefined || recorded !== undefined,
    environment: place === own ? {} : target.environment(place),
  }
}

/** The title that users know, else the first line of the first prompt. */
function titleOf(title: string | undefined, messages: readonly MovedMessage[]): string {
  const prompt = messages.find(({ role, parts }) => role === 'user' && textOf(parts).trim() !== '')
  const [line = ''] = (title ?? textOf(prompt?.parts ?? [])).trim().split('\n', 1)
  return line === '' ? 'Moved session' : wholeText(line.length > titleMax ? `${line.slice(0, titleMax - 1)}…` : line)
}

const titleMax = 80
