import type { NextConfig } from 'next'

export default { serverExternalPackages: ['antiphon'] } satisfies NextConfig
