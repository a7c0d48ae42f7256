import type { TelemetryApi } from './api.ts'

/** The package `@opentelemetry/api` if it is installed; looked for once in a process. It never fails. */
export function loadApi(): Promise<TelemetryApi | undefined> {
  loading ??= load()
  return loading
}

let loading: Promise<TelemetryApi | undefined> | undefined

async function load(): Promise<TelemetryApi | undefined> {
  try {
    return await import('@opentelemetry/api')
  } catch {
    return undefined
  }
}
