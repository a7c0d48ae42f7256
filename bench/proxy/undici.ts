import { createRequire } from 'node:module'

/** The very copy that the proxy uses: a peer of the bench has brought another one along. */
export const { Pool } = createRequire(new URL('../../package.json', import.meta.url))(
  'undici',
) as typeof import('undici')
