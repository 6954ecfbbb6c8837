/* hip_error.c - names and sentences of hipError_t. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#define ERROR(name, text) {name, #name, text}

static const struct {
  hipError_t code;
  const char *name, *text;
} errors[] = {
    ERROR(hipSuccess, "no error"),
    ERROR(hipErrorInvalidValue, "invalid argument"),
    ERROR(hipErrorOutOfMemory, "out of memory"),
    ERROR(hipErrorNotInitialized, "not initialised"),
    ERROR(hipErrorDeinitialized, "shut down already"),
    ERROR(hipErrorInvalidConfiguration, "invalid grid or block"),
    ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(hipErrorInvalidMemcpyDirection, "invalid direction of a copy"),
    ERROR(hipErrorInsufficientDriver, "driver too old"),
    ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(hipErrorNoDevice, "no device"),
    ERROR(hipErrorInvalidDevice, "invalid device number"),
    ERROR(hipErrorInvalidImage, "invalid kernel image"),
    ERROR(hipErrorInvalidContext, "invalid context"),
    ERROR(hipErrorNoBinaryForGpu, "no code for this device in the image"),
    ERROR(hipErrorUnsupportedLimit, "unsupported limit"),
    ERROR(hipErrorInvalidSource, "invalid source"),
    ERROR(hipErrorFileNotFound, "file not found"),
    ERROR(hipErrorOperatingSystem, "the operating system refused"),
    ERROR(hipErrorInvalidHandle, "invalid handle"),
    ERROR(hipErrorIllegalState, "not in a state for this operation"),
    ERROR(hipErrorNotFound, "no such name"),
    ERROR(hipErrorNotReady, "not ready"),
    ERROR(hipErrorIllegalAddress, "a kernel accessed memory that is not its"),
    ERROR(hipErrorLaunchOutOfResources, "too many resources for a launch"),
    ERROR(hipErrorLaunchTimeOut, "a kernel ran too long"),
    ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access already enabled"),
    ERROR(hipErrorPeerAccessNotEnabled, "peer access not enabled"),
    ERROR(hipErrorContextIsDestroyed, "the context was destroyed"),
    ERROR(hipErrorAssert, "a kernel trapped: assert or abort"),
    ERROR(hipErrorHostMemoryAlreadyRegistered, "already registered"),
    ERROR(hipErrorHostMemoryNotRegistered, "not registered"),
    ERROR(hipErrorLaunchFailure, "a kernel failed"),
    ERROR(hipErrorCooperativeLaunchTooLarge, "cooperative grid too large"),
    ERROR(hipErrorNotSupported, "not supported by the simulated device"),
    ERROR(hipErrorStreamCaptureUnsupported, "not while a stream captures"),
    ERROR(hipErrorStreamCaptureInvalidated, "the capture was invalidated"),
    ERROR(hipErrorStreamCaptureMerge, "two captures would become one"),
    ERROR(hipErrorStreamCaptureUnmatched, "no capture began in this stream"),
    ERROR(hipErrorStreamCaptureUnjoined,
          "a stream that joined the capture was not waited for"),
    ERROR(hipErrorStreamCaptureIsolation, "the capture would depend on others"),
    ERROR(hipErrorStreamCaptureImplicit,
          "the default stream would wait for a capture"),
    ERROR(hipErrorCapturedEvent, "the event was recorded in a capture"),
    ERROR(hipErrorStreamCaptureWrongThread,
          "the capture began in another thread"),
    ERROR(hipErrorGraphExecUpdateFailure, "the graph is another one"),
    ERROR(hipErrorUnknown, "unknown error"),
};

static size_t find(hipError_t code)
{
  size_t n = 0, end = sizeof errors / sizeof *errors - 1;
  while (n < end && errors[n].code != code)
    n++;
  return n; /* the last is hipErrorUnknown */
}

const char *hipGetErrorName(hipError_t error)
{
  return errors[find(error)].name;
}

const char *hipGetErrorString(hipError_t error)
{
  return errors[find(error)].text;
}
