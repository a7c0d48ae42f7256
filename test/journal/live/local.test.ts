import { LocalBus } from '../../../src/journal/live/transports/local.ts'
import { checkTransport } from './contract.ts'

const makeScene = async () => {
  const bus = new LocalBus()
  return { open: async () => bus.transport(), cut: () => {}, close: async () => {} }
}
checkTransport('within a process', makeScene, false)
