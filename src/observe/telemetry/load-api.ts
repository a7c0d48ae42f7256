import type { TelemetryApi } from './api.ts'

/** The package `@opentelemetry/api`, if it is installed. It is loaded once per process. Never throws. */
export function loadTelemetryApi(): Promise<TelemetryApi | undefined> {
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
