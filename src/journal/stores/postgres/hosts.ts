import { AntiphonError } from '../../../core/errors.ts'

/** Which of several servers to use, as `target_session_attrs` of libpq names them. */
export type SessionAttrs = (typeof sessionAttrs)[number]

export interface Hosts {
  /** One connection string per host, in their order. */
  readonly urls: readonly string[]
  readonly attrs: SessionAttrs | undefined
}

/** Splits a connection string that names several hosts, which libpq accepts and `pg` does not. */
export function hostsOf(location: string): Hosts {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(location) ?? []
  const names = hosts.split(',')
  if (names.length < 2) return { urls: [location], attrs: undefined }
  if (names.includes(''))
    throw new AntiphonError('journal-unreachable', 'the PostgreSQL connection string has an empty host', {
      hint: 'write several hosts as postgres://user:password@one:5432,two:5432/database',
    })
  const [, attrs] = /[?&]target_session_attrs=([^&#]*)/.exec(rest) ?? []
  const others = rest.replace(/([?&])target_session_attrs=[^&#]*(&?)/, (_, before, after) => (after ? before : ''))
  return { urls: names.map(name => `${scheme}${login}${name}${others}`), attrs: readAttrs(attrs) }
}

function readAttrs(text: string | undefined): SessionAttrs | undefined {
  const found = sessionAttrs.find(name => name === text)
  if (found !== undefined || text === undefined) return found
  throw new AntiphonError('journal-unreachable', `unknown target_session_attrs "${text}"`, {
    hint: `use one of: ${sessionAttrs.join(', ')}`,
  })
}

const sessionAttrs = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
