import { doctorMutants } from './doctor.ts'
import { journalMutants } from './journal.ts'
import { distinct, type Mutant } from './mutant.ts'
import { pairingMutants } from './pairing.ts'
import { retryMutants } from './retry.ts'
import { ruleMutants } from './rules.ts'
import { scanMutants } from './scans.ts'

export const mutants: readonly Mutant[] = distinct([
  ...ruleMutants,
  ...pairingMutants,
  ...scanMutants,
  ...doctorMutants,
  ...retryMutants,
  ...journalMutants,
])
