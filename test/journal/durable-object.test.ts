import { checkInWorker } from '../workerd/check-in-worker.ts'

// The others run in `npm run fuzz`: what the journal promises depends on the store only by its contract, which is checked as a whole.
await checkInWorker('journal', { oneIn: 6 })
