"""Grad modes as decorators of coroutines and async generators."""

import asyncio
import inspect

import eagre


def run(coroutine):
    return asyncio.run(coroutine)


# Row: PyTorch J2
def test_the_mode_holds_while_a_coroutine_runs_and_not_while_it_waits():
    seen = []

    @eagre.no_grad()
    async def quiet():
        seen.append(eagre.is_grad_enabled())
        await asyncio.sleep(0)
        seen.append(eagre.is_grad_enabled())
        return 3

    async def loud():
        for _ in range(3):
            seen.append(("loud", eagre.is_grad_enabled()))
            await asyncio.sleep(0)

    async def both():
        return await asyncio.gather(quiet(), loud())

    assert inspect.iscoroutinefunction(quiet)
    assert run(both())[0] == 3
    assert [x for x in seen if isinstance(x, bool)] == [False, False]
    assert all(x[1] for x in seen if not isinstance(x, bool))
    assert eagre.is_grad_enabled()


def test_a_coroutine_may_fail_and_be_cancelled():
    caught = []

    @eagre.inference_mode()
    async def fails():
        await asyncio.sleep(0)
        raise KeyError(eagre.is_inference_mode_enabled())

    @eagre.no_grad
    async def waits():
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            caught.append(eagre.is_grad_enabled())
            raise

    async def main():
        try:
            await fails()
        except KeyError as error:
            caught.append(error.args[0])
        task = asyncio.ensure_future(waits())
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            caught.append("cancelled")

    run(main())
    assert caught == [True, False, "cancelled"]


def test_async_generators():
    ended = []

    @eagre.no_grad()
    async def numbers():
        try:
            sent = 0
            while True:
                await asyncio.sleep(0)
                try:
                    sent = yield eagre.is_grad_enabled(), sent
                except KeyError:
                    sent = "thrown"
        finally:
            ended.append(eagre.is_grad_enabled())

    async def main():
        generator = numbers()
        assert await generator.__anext__() == (False, 0)
        assert eagre.is_grad_enabled()
        assert await generator.asend(5) == (False, 5)
        assert await generator.athrow(KeyError()) == (False, "thrown")
        await generator.aclose()

    assert inspect.isasyncgenfunction(numbers)
    run(main())
    assert ended == [False]

    @eagre.no_grad()
    async def two():
        yield 1
        yield 2

    async def collect():
        return [value async for value in two()]

    assert run(collect()) == [1, 2]
