"""What the tool uses of livekit-agents 1.x, with the same names and forms. The packages cannot be installed here."""

import sys
import types
import typing


class RunContext:
    def __init__(self, session):
        self.session = session


class Session:
    def __init__(self, events):
        self.events = events

    async def say(self, text, *, allow_interruptions):
        self.events.append(("say", text, allow_interruptions))


class Request:
    def __init__(self, *, room_name, participant_identity, transfer_to):
        self.fields = (room_name, participant_identity, transfer_to)


class Participant:
    def __init__(self, kind, identity, attributes):
        self.kind, self.identity, self.attributes = kind, identity, attributes


class Job:
    """Its api fails each transfer if `error` is set."""

    def __init__(self, events, participants):
        self.events, self.error = events, None
        remote = {each.identity: each for each in participants}
        self.room = types.SimpleNamespace(name="room-7f3a", remote_participants=remote)
        self.api = types.SimpleNamespace(sip=self)

    async def transfer_sip_participant(self, request):
        if self.error is not None:
            raise self.error
        self.events.append(("transfer", *request.fields))


def function_tool(function):
    """Reads the annotations and the docstring, as LiveKit does."""
    hints = typing.get_type_hints(function, include_extras=True)
    assert hints["context"] is RunContext and hints["order_id"] is str and function.__doc__
    return function


SIP, STANDARD = 3, 0


def install(job):
    """Makes `livekit` importable."""
    livekit, agents = types.ModuleType("livekit"), types.ModuleType("livekit.agents")
    livekit.api = types.SimpleNamespace(TransferSIPParticipantRequest=Request)
    livekit.rtc = types.SimpleNamespace(ParticipantKind=types.SimpleNamespace(PARTICIPANT_KIND_SIP=SIP))
    agents.RunContext, agents.function_tool, agents.get_job_context = RunContext, function_tool, lambda: job
    sys.modules["livekit"], sys.modules["livekit.agents"] = livekit, agents


def uninstall():
    for name in ("livekit", "livekit.agents"):
        sys.modules.pop(name, None)
