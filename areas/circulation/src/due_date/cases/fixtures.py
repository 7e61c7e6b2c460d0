"""The calendars and the choice of cases for make_cases.py; no reckoning here."""

POINT = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f"

WORKDAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
ALL_DAYS = ["SUNDAY"] + WORKDAYS + ["SATURDAY"]


def hours(start_day, start, end_day, end):
    return {"startDay": start_day, "startTime": start, "endDay": end_day, "endTime": end}


def daily(days, *spans):
    return [hours(day, start, day, end) for day in days for start, end in spans]


def exception(name, start, end, *openings):
    parts = [{"startDate": a, "startTime": b, "endDate": c, "endTime": d} for a, b, c, d in openings]
    return {"name": name, "startDate": start, "endDate": end, "openings": parts}


def calendar(start, end, normal, *exceptions):
    return {"name": f"From {start}", "startDate": start, "endDate": end, "assignments": [POINT],
            "normalHours": normal, "exceptions": list(exceptions)}


CALENDARS = {
    # Nine to five on workdays, for many years.
    "workdays": [calendar("2020-01-01", "2035-12-31", daily(WORKDAYS, ("09:00", "17:00")))],
    # A gap at noon, short Saturdays, public holidays and a stocktaking week.
    "noon": [calendar(
        "2023-01-01", "2026-12-31",
        daily(WORKDAYS, ("09:00", "12:00"), ("13:30", "18:00")) + daily(["SATURDAY"], ("10:00", "14:00")),
        exception("New Year", "2024-01-01", "2024-01-01"),
        exception("Stocktaking", "2024-03-25", "2024-04-01"),
        exception("Long night", "2024-06-21", "2024-06-22",
                  ("2024-06-21", "12:00", "2024-06-22", "02:00")),
        exception("Open Sunday", "2024-11-03", "2024-11-03",
                  ("2024-11-03", "11:00", "2024-11-03", "16:00")),
        exception("Winter", "2024-12-23", "2025-01-02"),
    )],
    # Over midnight at the week's end.
    "late": [calendar("2023-01-01", "2026-12-31",
                      daily(WORKDAYS[:4], ("08:00", "23:59")) + [hours("FRIDAY", "08:00", "SATURDAY", "03:00")])],
    # Every day from 08:00 to 02:00.
    "night": [calendar("2023-01-01", "2026-12-31",
                       [hours(day, "08:00", ALL_DAYS[(at + 1) % 7], "02:00")
                        for at, day in enumerate(ALL_DAYS)])],
    # Never closed.
    "always": [calendar("2023-01-01", "2026-12-31", [hours("SUNDAY", "00:00", "SATURDAY", "23:59")])],
    # Never closed but for exceptions; one of them is open all day by itself.
    "shut": [calendar("2023-01-01", "2026-12-31", [hours("SUNDAY", "00:00", "SATURDAY", "23:59")],
                      exception("Power cut", "2024-06-12", "2024-06-13"),
                      exception("Half", "2024-06-14", "2024-06-14",
                                ("2024-06-14", "12:00", "2024-06-14", "18:00")),
                      exception("Whole", "2024-06-15", "2024-06-15",
                                ("2024-06-15", "00:00", "2024-06-15", "23:59")))],
    # From noon on Thursday to morning on Thursday: open all week but for four hours.
    "week": [calendar("2023-01-01", "2026-12-31", [hours("THURSDAY", "12:00", "THURSDAY", "08:00")])],
    # One calendar behind another, with a summer between that none covers.
    "terms": [calendar("2024-01-08", "2024-05-31", daily(WORKDAYS, ("08:00", "20:00"))),
              calendar("2024-06-01", "2024-06-30", daily(["TUESDAY", "THURSDAY"], ("10:00", "12:00"))),
              calendar("2024-09-02", "2024-12-20", daily(WORKDAYS, ("08:00", "20:00")))],
    # A fortnight, with nothing before and behind.
    "brief": [calendar("2024-06-03", "2024-06-14", daily(WORKDAYS, ("09:00", "17:00")))],
    # Only exceptions open.
    "fair": [calendar("2024-01-01", "2024-12-31", [],
                      exception("Spring", "2024-03-08", "2024-03-12",
                                ("2024-03-09", "10:00", "2024-03-10", "04:30")),
                      exception("Autumn", "2024-11-01", "2024-11-04",
                                ("2024-11-02", "20:00", "2024-11-03", "01:30"),
                                ("2024-11-04", "09:00", "2024-11-04", "10:00")))],
    # Centuries away.
    "future": [calendar("2399-01-01", "2401-12-31", daily(WORKDAYS, ("09:00", "17:00"))),
               calendar("9990-01-01", "9998-12-31", daily(["MONDAY"], ("09:00", "17:00")))],
    # Around the day that Samoa left out.
    "samoa": [calendar("2011-12-01", "2012-01-31", daily(WORKDAYS, ("09:00", "17:00")))],
    # Minutes from midnight to midnight that are written as two.
    "halves": [calendar("2023-01-01", "2026-12-31",
                        daily(WORKDAYS, ("00:00", "11:59"), ("12:00", "23:59")))],
    # Nothing at all.
    "silent": [calendar("2023-01-01", "2026-12-31", [])],
}

ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe",
         "Pacific/Apia"]
MORE_ZONES = ["America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Havana",
              "Africa/Casablanca", "America/Santiago"]

DATE, TIME = "CURRENT_DUE_DATE", "CURRENT_DUE_DATE_TIME"
PREVIOUS, NEXT = "END_OF_THE_PREVIOUS_OPEN_DAY", "END_OF_THE_NEXT_OPEN_DAY"
CURRENT_HOURS = "END_OF_THE_CURRENT_SERVICE_POINT_HOURS"
NEXT_HOURS = "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS"
MANAGEMENTS = [DATE, PREVIOUS, NEXT, TIME, CURRENT_HOURS, NEXT_HOURS]

SHELF = ["Keep_the_current_due_date", "Move_to_the_end_of_the_previous_open_day",
         "Move_to_the_end_of_the_next_open_day", "Keep_the_current_due_date_time",
         "Move_to_end_of_current_service_point_hours",
         "Move_to_beginning_of_next_open_service_point_hours", ""]


def rows(row):
    yield from plain(row)
    yield from closed(row)
    yield from schedules(row)
    yield from expirations(row)
    yield from holds(row)
    yield from shelves(row)
    yield from recalls(row)
    yield from refusals(row)


def plain(row):
    """Every unit, over both changes of the clocks, month ends and leap days."""
    for zone in ZONES + MORE_ZONES:
        for begun in ["2024-03-09T20:30:00Z", "2024-11-02T05:30:00Z"]:
            for period in ["1 Days", "36 Hours"]:
                for management in [DATE, TIME]:
                    yield row(zone=zone, period=period, management=management, begun=begun)
    dates = ["2024-01-31T23:30:00Z", "2023-01-30T12:00:00.25Z", "2024-02-29T00:00:00Z",
             "2024-03-30T10:15:00Z", "2024-10-05T16:00:00Z", "2099-12-31T23:59:59Z",
             "2400-02-28T06:00:00Z", "9990-05-31T06:00:00Z"]
    for begun in dates:
        for period in ["1 Months", "13 Months", "4 Weeks", "29 Days", "25 Hours", "90 Minutes"]:
            zone = ZONES[(len(begun) + dates.index(begun)) % len(ZONES)]
            yield row(zone=zone, period=period, begun=begun, management=DATE if "W" in period else TIME,
                      grace="5 Days")
    for begun in ["2011-12-28T20:00:00Z", "2011-12-29T20:00:00Z", "2011-12-30T20:00:00Z"]:
        for management in MANAGEMENTS:
            yield row(zone="Pacific/Apia", period="1 Days", begun=begun, management=management,
                      calendars="samoa")


def closed(row):
    """All six managements in every calendar."""
    scenes = [
        # (calendars, zone, period, begun)
        ("workdays", "America/New_York", "3 Days", "2024-03-06T20:00:00Z"),
        ("workdays", "America/New_York", "1 Days", "2024-03-08T20:00:00Z"),
        ("workdays", "Europe/Berlin", "2 Weeks", "2024-03-16T10:00:00Z"),
        ("workdays", "Europe/Berlin", "3 Hours", "2024-06-07T13:00:00Z"),
        ("workdays", "UTC", "1 Months", "2024-05-31T12:00:00Z"),
        ("workdays", "Asia/Kolkata", "4 Hours", "2024-06-10T10:00:00Z"),
        ("workdays", "Asia/Kolkata", "1 Weeks", "2024-06-01T19:00:00Z"),
        ("workdays", "Australia/Lord_Howe", "1 Days", "2024-04-05T04:00:00Z"),
        ("workdays", "Australia/Lord_Howe", "2 Hours", "2024-10-04T05:00:00Z"),
        ("workdays", "Pacific/Apia", "30 Minutes", "2024-06-07T03:45:00Z"),
        ("workdays", "Pacific/Apia", "2 Days", "2024-06-06T20:00:00Z"),
        ("noon", "Europe/Berlin", "1 Hours", "2024-06-10T09:15:00Z"),
        ("noon", "Europe/Berlin", "15 Minutes", "2024-06-10T10:10:00Z"),
        ("noon", "Europe/Berlin", "2 Weeks", "2024-03-13T10:00:00Z"),
        ("noon", "Europe/Berlin", "8 Hours", "2024-06-21T18:30:00Z"),
        ("noon", "Europe/Berlin", "4 Hours", "2024-06-21T22:30:00Z"),
        ("noon", "Europe/Berlin", "4 Weeks", "2024-11-27T10:00:00Z"),
        ("noon", "America/New_York", "1 Days", "2024-11-02T19:00:00Z"),
        ("noon", "UTC", "20 Hours", "2024-06-10T17:00:00Z"),
        ("late", "America/New_York", "3 Hours", "2024-03-09T03:00:00Z"),
        ("late", "America/New_York", "6 Hours", "2024-03-09T07:00:00Z"),
        ("late", "America/New_York", "5 Hours", "2024-06-11T02:00:00Z"),
        ("late", "UTC", "9 Hours", "2024-06-11T16:00:00Z"),
        ("late", "Europe/Berlin", "1 Days", "2024-06-14T20:00:00Z"),
        ("night", "America/New_York", "4 Hours", "2024-06-11T04:00:00Z"),
        ("night", "America/New_York", "3 Hours", "2024-03-10T05:30:00Z"),
        ("night", "America/New_York", "3 Hours", "2024-11-03T04:30:00Z"),
        ("night", "Europe/Berlin", "6 Hours", "2024-03-30T22:00:00Z"),
        ("night", "Europe/Berlin", "3 Hours", "2024-10-26T23:30:00Z"),
        ("night", "Australia/Lord_Howe", "5 Hours", "2024-04-06T13:00:00Z"),
        ("night", "UTC", "24 Hours", "2024-06-10T23:59:30Z"),
        ("always", "UTC", "5 Hours", "2024-06-11T22:00:00Z"),
        ("always", "America/New_York", "1 Days", "2024-11-02T12:00:00Z"),
        ("always", "Europe/Berlin", "2 Hours", "2024-03-31T00:30:00Z"),
        ("always", "UTC", "3 Weeks", "2026-12-20T12:00:00Z"),
        ("shut", "UTC", "2 Days", "2024-06-10T12:00:00Z"),
        ("shut", "UTC", "20 Hours", "2024-06-11T12:00:00Z"),
        ("shut", "UTC", "10 Hours", "2024-06-14T13:00:00Z"),
        ("shut", "America/New_York", "18 Hours", "2024-06-14T14:00:00Z"),
        ("week", "UTC", "1 Days", "2024-06-12T10:00:00Z"),
        ("week", "UTC", "3 Hours", "2024-06-13T07:00:00Z"),
        ("terms", "Europe/Berlin", "6 Weeks", "2024-04-25T10:00:00Z"),
        ("terms", "Europe/Berlin", "3 Weeks", "2024-06-11T10:00:00Z"),
        ("terms", "Europe/Berlin", "8 Weeks", "2024-05-30T10:00:00Z"),
        ("terms", "Europe/Berlin", "4 Weeks", "2024-12-02T10:00:00Z"),
        ("terms", "Europe/Berlin", "1 Hours", "2024-06-20T09:30:00Z"),
        ("terms", "UTC", "2 Days", "2024-01-01T12:00:00Z"),
        ("brief", "UTC", "4 Weeks", "2024-06-05T12:00:00Z"),
        ("brief", "UTC", "5 Days", "2024-06-12T12:00:00Z"),
        ("brief", "UTC", "3 Hours", "2024-06-14T15:00:00Z"),
        ("brief", "UTC", "2 Hours", "2024-06-02T12:00:00Z"),
        ("fair", "America/New_York", "1 Days", "2024-03-09T20:00:00Z"),
        ("fair", "America/New_York", "6 Hours", "2024-03-10T03:00:00Z"),
        ("fair", "America/New_York", "4 Hours", "2024-11-03T03:30:00Z"),
        ("fair", "UTC", "2 Months", "2024-06-01T00:00:00Z"),
        ("future", "Pacific/Apia", "1 Months", "2400-01-31T12:00:00Z"),
        ("future", "America/New_York", "9 Hours", "2400-02-29T18:00:00Z"),
        ("future", "UTC", "3 Weeks", "9997-02-03T12:00:00Z"),
        ("halves", "UTC", "14 Hours", "2024-06-10T22:00:00Z"),
        ("halves", "America/New_York", "1 Days", "2024-06-07T22:00:00Z"),
        ("silent", "UTC", "1 Days", "2024-06-07T22:00:00Z"),
        ("", "UTC", "1 Days", "2024-06-07T22:00:00Z"),
    ]
    for calendars, zone, period, begun in scenes:
        for management in MANAGEMENTS:
            yield row(calendars=calendars, zone=zone, period=period, begun=begun, management=management)
    for offset in ["30 Minutes", "2 Hours", "4 Hours", "12 Hours", "1 Days", "3 Days", "1 Weeks"]:
        for calendars, begun in [("workdays", "2024-06-07T14:00:00Z"), ("noon", "2024-06-10T09:40:00Z"),
                                 ("noon", "2024-06-21T23:00:00Z"), ("late", "2024-06-14T23:30:00Z")]:
            yield row(calendars=calendars, zone="Europe/Berlin", period="90 Minutes", begun=begun,
                      management=NEXT_HOURS, offset=offset, grace="1 Hours")


TERM = "2024-01-01T00:00:00Z/2024-06-30T23:59:59Z/2024-07-06T21:59:59Z"
NEXT_TERM = "2024-07-01T00:00:00Z/2024-12-31T23:59:59Z/2025-01-11T22:59:59Z"
SOON = "2024-06-01T00:00:00Z/2024-06-30T00:00:00Z/2024-06-15T10:00:00Z"


def schedules(row):
    """Fixed due dates, limits of rolling ones, and ends of ranges."""
    for management in MANAGEMENTS:
        for profile in ["Fixed", "Rolling", "rolling"]:
            for begun in ["2024-06-20T10:00:00Z", "2024-08-01T10:00:00Z"]:
                yield row(profile=profile, period="8 Weeks" if profile != "Fixed" else "",
                          management=management, schedule=TERM + "," + NEXT_TERM, begun=begun,
                          zone="Europe/Berlin", calendars="workdays")
        for period in ["3 Weeks", "1 Days", "12 Hours"]:
            for calendars in ["workdays", "always", "brief"]:
                yield row(period=period, management=management, schedule=SOON, zone="UTC",
                          begun="2024-06-14T16:00:00Z", calendars=calendars)
        yield row(profile="FIXED", management=management, schedule=SOON, zone="Pacific/Apia",
                  begun="2024-06-14T16:00:00Z", calendars="workdays")
    for begun in ["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.001Z", "2024-06-30T23:59:58.999Z",
                  "2024-06-30T23:59:59Z", "2024-06-30T23:59:59.5Z", "2025-06-01T00:00:00Z"]:
        for profile in ["Fixed", "Rolling"]:
            yield row(profile=profile, period="1 Weeks", schedule=TERM + "," + NEXT_TERM, begun=begun)


def expirations(row):
    """A patron whose record ends before the loan would."""
    for management in MANAGEMENTS:
        for calendars in ["workdays", "noon", "always", "brief", "night", "terms", ""]:
            for expires in ["2024-06-12T23:00:00Z", "2024-06-10T11:00:00Z", "2024-06-03T10:00:00Z"]:
                yield row(period="3 Weeks", management=management, calendars=calendars, expires=expires,
                          zone="America/New_York", begun="2024-06-01T16:00:00Z")
        yield row(period="2 Hours", management=management, calendars="noon", zone="Europe/Berlin",
                  expires="2024-06-10T15:30:00Z", begun="2024-06-10T14:45:00Z")
        yield row(period="1 Days", management=management, calendars="noon", zone="Europe/Berlin",
                  expires="2030-01-01T00:00:00Z", begun="2024-06-10T14:45:00Z")


def holds(row):
    """A waiting hold, and a policy with another period for that."""
    for management in MANAGEMENTS:
        for profile in ["Rolling", "Fixed"]:
            for hold in ["2 Days", "4 Hours", "2 Months"]:
                yield row(profile=profile, period="3 Weeks", hold=hold, management=management,
                          schedule=TERM if profile == "Fixed" else "", calendars="workdays",
                          zone="America/New_York", begun="2024-06-06T19:00:00Z")


def shelves(row):
    for management in SHELF:
        for period in ["3 Days", "1 Weeks", "1 Months", "5 Hours", "45 Minutes"]:
            for calendars, zone in [("workdays", "America/New_York"), ("noon", "Europe/Berlin"),
                                    ("night", "Australia/Lord_Howe"), ("", "UTC")]:
                yield row("shelf", profile="", period=period, management=management,
                          calendars=calendars, zone=zone, begun="2024-06-07T15:30:00Z")


def recalls(row):
    for management in MANAGEMENTS:
        for hold, more in [("3 Days", ""), ("3 Days", "2 Weeks"), ("6 Hours", "1 Days"), ("", "")]:
            for due in ["2024-06-28T20:00:00Z", "2024-06-08T20:00:00Z"]:
                yield row("recall", period="3 Weeks", management=management, calendars="workdays",
                          zone="America/New_York", begun="2024-06-03T15:00:00Z",
                          now="2024-06-06T17:00:00Z", due=due, hold=hold, more=more)
        # A loan of the first term that is recalled into the second: the limit is the second one's.
        yield row("recall", period="3 Weeks", management=management, calendars="workdays",
                  begun="2024-06-20T15:00:00Z", now="2024-06-28T12:00:00Z", due="2024-07-30T20:00:00Z",
                  hold="9 Days", schedule=TERM + "," + NEXT_TERM)


def refusals(row):
    for period in ["", "0 Days", "-1 Weeks", "3 Years", "3 days"]:
        yield row(period=period, begun="2024-06-06T19:00:00Z")
    for profile in ["", "Sliding"]:
        yield row(profile=profile, period="1 Days", begun="2024-06-06T19:00:00Z")


def random_rows(row, chance, count):
    """For a search: anything with anything."""
    from datetime import datetime, timedelta, timezone

    start = datetime(2024, 1, 1, tzinfo=timezone.utc)

    def moment(days=330):
        found = start + timedelta(seconds=chance.randrange(days * 86400))
        return found.strftime("%Y-%m-%dT%H:%M:%SZ")

    def period():
        unit = chance.choice(["Minutes", "Hours", "Hours", "Days", "Weeks", "Months"])
        most = {"Minutes": 600, "Hours": 60, "Days": 30, "Weeks": 8, "Months": 4}[unit]
        return f"{chance.randint(1, most)} {unit}"

    def maybe(odds, value):
        return value() if chance.random() < odds else ""

    for _ in range(count):
        kind = chance.choice(["loan", "loan", "loan", "shelf", "recall"])
        shared = {
            "zone": chance.choice(ZONES + MORE_ZONES),
            "calendars": chance.choice(list(CALENDARS) + [""]),
            "period": period(),
            "begun": moment(),
        }
        if kind == "shelf":
            yield row(kind, profile="", management=chance.choice(SHELF), **shared)
            continue
        begun = datetime.fromisoformat(shared["begun"].replace("Z", "+00:00"))
        near = lambda most: (begun + timedelta(seconds=chance.randrange(most * 86400))).strftime(
            "%Y-%m-%dT%H:%M:%SZ")
        more = {
            "management": chance.choice(MANAGEMENTS),
            "offset": maybe(0.4, period),
            "hold": maybe(0.3, period),
            "schedule": chance.choice(["", "", TERM + "," + NEXT_TERM, SOON]),
            "expires": maybe(0.3, lambda: near(40)),
        }
        if kind == "recall":
            more.update(more=maybe(0.5, period), now=near(20), due=near(60))
        else:
            more["profile"] = chance.choice(["Rolling", "Rolling", "Fixed"])
        yield row(kind, **shared, **more)
