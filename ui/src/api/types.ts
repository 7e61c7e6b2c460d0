// Records as the pages read them, derived from the generated types of the routes (schema.ts).
import type {
  Accounts,
  CirculationLoan,
  CirculationLoanItem,
  CirculationRequest,
  InventoryItem,
  Manualblocks,
  ServicePoint as ServicePoints,
  StaffSlips,
  Users,
} from './schema'

/** A record of which only some properties are certain: other FOLIO servers leave out more than ours. */
type Partly<T, Certain extends keyof T> = Pick<T, Certain> & Partial<Omit<T, Certain>>

export interface Id {
  id: string
}
export interface Coded extends Id {
  name: string
  code?: string
}

type Personal = { personal?: Partial<Users['personal']> }
/** The form of patrons adds `preferredEmailCommunication`, whose choices a library may extend. */
export type User = Partly<Omit<Users, 'personal' | 'preferredEmailCommunication'>, 'id'> & Personal

export type ServicePoint = Partly<ServicePoints, 'id' | 'name'>

type Note = NonNullable<InventoryItem['circulationNotes']>[number]
/** A note without text is of no use to anybody. */
export type CirculationNote = Note & Required<Pick<Note, 'noteType' | 'note'>>

/** As `/inventory/items` answers; a later release may know further statuses. */
export type Item = Partly<Omit<InventoryItem, 'status' | 'circulationNotes'>, 'id'> & {
  status: { name: string; date?: string }
  circulationNotes?: CirculationNote[]
}

/** A loan that is lent has a due date. */
export type Loan = Partly<Omit<CirculationLoan, 'dueDate'>, 'id' | 'itemId' | 'loanDate'> & {
  dueDate: string
}

/** The item as loans and check-in answer it. */
export type LoanItem = CirculationLoanItem

export type Request = Partly<CirculationRequest, 'id' | 'requestType' | 'requesterId'> & {
  status: NonNullable<CirculationRequest['status']>
}

export type Account = Partly<Accounts, 'id' | 'userId' | 'remaining' | 'status'>

/** A manual block, or an automated one. */
export interface PatronBlock extends Partial<Manualblocks> {
  message?: string
  blockBorrowing?: boolean
}

export type StaffSlip = Partly<StaffSlips, 'id' | 'name' | 'template'> & { active: boolean }
