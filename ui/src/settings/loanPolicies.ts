// Loan policies: how long, how often renewed, and what a request changes.
import type { Field, Kind, Source, When } from './kinds'
import { UNITS } from './units'

export const SCHEDULES: Source = {
  path: '/fixed-due-date-schedule-storage/fixed-due-date-schedules',
  key: 'fixedDueDateSchedules',
  name: 'name',
}

const loanable: When = { name: 'loanable', is: [true] }
const rolling: When = { name: 'loansPolicy.profileId', is: ['Rolling'] }
const fixed: When = { name: 'loansPolicy.profileId', is: ['Fixed'] }
const renewable: When = { name: 'renewable', is: [true] }
const otherPeriod: When = { name: 'renewalsPolicy.differentPeriod', is: [true] }
const atLocation: When = { name: 'loansPolicy.forUseAtLocation', is: [true] }
const renewedWithHold: When = {
  name: 'requestManagement.holds.renewItemsWithRequest',
  is: [true],
}
const longOverdue: When = {
  name: 'requestManagement.recalls.allowRecallsToExtendOverdueLoans',
  is: [true],
}

const period = (
  name: string,
  label: Field['label'],
  when: Field['when'],
  needed?: true,
): Field => ({
  name,
  label,
  type: 'period',
  units: UNITS,
  when,
  needed,
})

const LENDING: readonly Field[] = [
  {
    name: 'loansPolicy.profileId',
    label: 'set.profile',
    type: 'select',
    needed: true,
    choices: [
      { value: 'Rolling', text: 'set.rolling' },
      { value: 'Fixed', text: 'set.fixed' },
      { value: 'Indefinite', text: 'set.indefinite' },
    ],
    when: loanable,
  },
  period('loansPolicy.period', 'set.period', [loanable, rolling], true),
  {
    name: 'loansPolicy.fixedDueDateScheduleId',
    label: 'set.schedule',
    type: 'ref',
    of: SCHEDULES,
    needed: true,
    when: [loanable, fixed],
  },
  {
    name: 'loansPolicy.fixedDueDateScheduleId',
    label: 'set.notLaterThan',
    type: 'ref',
    of: SCHEDULES,
    clears: true,
    when: [loanable, rolling],
  },
  {
    name: 'loansPolicy.closedLibraryDueDateManagementId',
    label: 'set.closed',
    type: 'select',
    needed: true,
    choices: [
      { value: 'CURRENT_DUE_DATE', text: 'set.closed.keepDate' },
      { value: 'CURRENT_DUE_DATE_TIME', text: 'set.closed.keepTime' },
      { value: 'END_OF_THE_PREVIOUS_OPEN_DAY', text: 'set.closed.previousDay' },
      { value: 'END_OF_THE_NEXT_OPEN_DAY', text: 'set.closed.nextDay' },
      { value: 'END_OF_THE_CURRENT_SERVICE_POINT_HOURS', text: 'set.closed.endOfHours' },
      { value: 'BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS', text: 'set.closed.nextHours' },
    ],
    when: loanable,
  },
  period('loansPolicy.openingTimeOffset', 'set.afterOpening', [
    loanable,
    {
      name: 'loansPolicy.closedLibraryDueDateManagementId',
      is: ['BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS'],
    },
  ]),
  period('loansPolicy.gracePeriod', 'set.grace', loanable),
  { name: 'loansPolicy.itemLimit', label: 'set.itemLimit', type: 'number', when: loanable },
  { name: 'loansPolicy.forUseAtLocation', label: 'set.atLocation', type: 'check', when: loanable },
  period('loansPolicy.holdShelfExpiryPeriodForUseAtLocation', 'set.atLocationFor', [
    loanable,
    atLocation,
  ]),
]

const RENEWING: readonly Field[] = [
  { name: 'renewable', label: 'set.renewable', type: 'check', when: loanable },
  {
    name: 'renewalsPolicy.unlimited',
    label: 'set.unlimited',
    type: 'check',
    when: [loanable, renewable],
  },
  {
    name: 'renewalsPolicy.numberAllowed',
    label: 'set.renewals',
    type: 'number',
    needed: true,
    when: [loanable, renewable, { name: 'renewalsPolicy.unlimited', is: [false, undefined] }],
  },
  {
    name: 'renewalsPolicy.renewFromId',
    label: 'set.renewFrom',
    type: 'select',
    choices: [
      { value: 'CURRENT_DUE_DATE', text: 'set.renewFrom.due' },
      { value: 'SYSTEM_DATE', text: 'set.renewFrom.now' },
    ],
    needed: true,
    when: [loanable, renewable, rolling],
  },
  {
    name: 'renewalsPolicy.differentPeriod',
    label: 'set.otherPeriod',
    type: 'check',
    when: [loanable, renewable],
  },
  period(
    'renewalsPolicy.period',
    'set.renewPeriod',
    [loanable, renewable, otherPeriod, rolling],
    true,
  ),
  {
    name: 'renewalsPolicy.alternateFixedDueDateScheduleId',
    label: 'set.renewSchedule',
    type: 'ref',
    of: SCHEDULES,
    clears: true,
    when: [loanable, renewable, otherPeriod],
  },
]

const recalls = (name: string) => `requestManagement.recalls.${name}`
const holds = (name: string) => `requestManagement.holds.${name}`

const REQUESTED: readonly Field[] = [
  {
    name: '$recalls',
    label: 'set.whenRecalled',
    type: 'group',
    when: loanable,
    fields: [
      period(recalls('minimumGuaranteedLoanPeriod'), 'set.guaranteed', loanable),
      period(recalls('recallReturnInterval'), 'set.recallWithin', loanable),
      period(recalls('alternateGracePeriod'), 'set.recallGrace', loanable),
      {
        name: recalls('allowRecallsToExtendOverdueLoans'),
        label: 'set.recallExtends',
        type: 'check',
      },
      period(recalls('alternateRecallReturnInterval'), 'set.recallOverdueWithin', longOverdue),
    ],
  },
  {
    name: '$holds',
    label: 'set.whenHeld',
    type: 'group',
    when: loanable,
    fields: [
      period(holds('alternateCheckoutLoanPeriod'), 'set.heldPeriod', loanable),
      { name: holds('renewItemsWithRequest'), label: 'set.heldRenews', type: 'check' },
      period(holds('alternateRenewalLoanPeriod'), 'set.heldRenewPeriod', renewedWithHold),
    ],
  },
]

export const LOAN_POLICIES: Kind = {
  id: 'loan-policies',
  path: '/loan-policy-storage/loan-policies',
  key: 'loanPolicies',
  name: 'name',
  title: 'set.loanPolicies',
  group: 'set.groupCirculation',
  permission: 'circulation-storage.loan-policies.item',
  shownOnly: true,
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    { name: 'loanable', label: 'set.loanable', type: 'check' },
    ...LENDING,
    ...RENEWING,
    ...REQUESTED,
  ],
  columns: ['description'],
  fresh: {
    loanable: true,
    renewable: false,
    loansPolicy: { profileId: 'Rolling', closedLibraryDueDateManagementId: 'CURRENT_DUE_DATE' },
  },
}
