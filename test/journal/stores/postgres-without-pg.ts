import { registerHooks } from 'node:module'

/** A process in which the package `pg` is not installed. Tells the error of who opens a journal there. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'pg' ? 'a-package-that-is-not-there' : specifier, context),
})
const { openPostgres } = await import('../../../src/journal/stores/postgres/store.ts')
try {
  await openPostgres('postgres://127.0.0.1/x')
} catch (error) {
  const { code, message, hint } = error as { code: string; message: string; hint: string }
  process.send?.({ code, message, hint })
}
process.disconnect?.()
