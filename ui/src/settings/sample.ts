// What a preview fills the tokens of templates with: an invented reader and book.
const borrower = {
  firstName: 'Ada',
  preferredFirstName: 'Ada',
  lastName: 'Lindqvist',
  barcode: '21100004417093',
  patronGroup: 'staff',
}
const item = {
  title: 'Rivers and harbours',
  barcode: '34100008790664',
  callNumber: 'QB 101',
  primaryContributor: 'Okafor, Chidi',
  allContributors: 'Okafor, Chidi; Brandt, Ines',
  materialType: 'book',
  loanType: 'Can circulate',
  status: 'Checked out',
  fromServicePoint: 'Main desk',
  toServicePoint: 'Harbour branch',
  effectiveLocationSpecific: 'Stacks 1',
  effectiveLocationLibrary: 'Main library',
}

export function sampleContext(now: number): Record<string, unknown> {
  const day = (days: number) => new Date(now + days * 24 * 3600_000).toISOString().slice(0, 10)
  const loan = {
    dueDate: day(14),
    dueDateTime: day(14),
    initialBorrowDate: day(0),
    checkedOutDate: day(0),
  }
  const request = {
    requestID: '7f3a',
    servicePointPickup: 'Main desk',
    requestExpirationDate: day(30),
    holdShelfExpirationDate: day(10),
    deliveryAddressType: 'Home',
    patronComments: 'By Friday, if it can be',
  }
  return {
    item,
    loan,
    request,
    user: borrower,
    borrower,
    requester: borrower,
    staffSlip: { currentDateTime: day(0), name: 'Hold' },
    currentDateTime: day(0),
  }
}
